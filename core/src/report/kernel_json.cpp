#include "report/kernel_json.hpp"

#include <optional>
#include <string>

namespace kmap::report {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json operand_json(const OperandInfo& operand) {
  Json dims = Json::array();
  for (const CoreDim& dim : operand.core) {
    dims.push_back({{"name", dim.name}, {"size", or_null(dim.fixed)}, {"rest", dim.rest}});
  }
  Json types = Json::array();
  for (const DType type : operand.types) types.push_back(std::string(name(type)));
  return {{"name", operand.name},
          {"doc", operand.doc},
          {"dims", dims},
          {"types", types},
          {"same_as", or_null(operand.same_as)}};
}

Json param_json(const ParamInfo& param) {
  return {{"name", param.name},
          {"type", type_name(param.fallback)},
          {"unit", param.unit == "1" ? Json(nullptr) : or_null(param.unit)},
          {"doc", param.doc},
          {"default", std::visit([](const auto& value) { return Json(value); }, param.fallback)},
          {"least", or_null(param.least)},
          {"above_least", param.above_least},
          {"most", or_null(param.most)},
          {"choices", param.choices}};
}

}  // namespace

const char* type_name(const ParamValue& value) {
  constexpr const char* names[] = {"boolean", "integer", "number", "text"};
  return names[value.index()];
}

Json kernel_json(const KernelInfo& kernel) {
  Json json = {{"name", kernel.name},           {"doc", kernel.doc},
               {"signature", kernel.signature}, {"kind", kernel.kind},
               {"axes", kernel.axes},           {"takes_key", kernel.takes_key},
               {"inputs", Json::array()},       {"outputs", Json::array()},
               {"coordinates", Json::array()},  {"params", Json::array()}};
  for (const OperandInfo& input : kernel.inputs) json["inputs"].push_back(operand_json(input));
  for (const OperandInfo& output : kernel.outputs) {
    json["outputs"].push_back(operand_json(output));
    json["outputs"].back()["same_for_all"] = output.same_for_all;
  }
  for (const CoordinateInfo& coordinate : kernel.coordinates) {
    json["coordinates"].push_back({{"name", coordinate.name},
                                   {"dim", coordinate.dim},
                                   {"unit", or_null(coordinate.unit)},
                                   {"doc", coordinate.doc}});
  }
  for (const ParamInfo& param : kernel.params) json["params"].push_back(param_json(param));
  return json;
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kmap::report
