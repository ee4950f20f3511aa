#include "apps/run_kernel.hpp"

#include "kmap/dtype.hpp"

#include <Kokkos_Core.hpp>

#include <stdexcept>

namespace kmap::test {

namespace {

using HostBytes = Kokkos::View<const char*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
using DeviceBytes = Kokkos::View<char*, Kokkos::DefaultExecutionSpace::memory_space>;

const KernelInstance& instance_for(const KernelInfo& kernel, const std::vector<Array>& inputs) {
  std::vector<DType> types;
  for (const Array& input : inputs) types.push_back(dtype_from_name(input.type).value());
  for (const KernelInstance& instance : kernel.instances) {
    if (instance.input_types == types) return instance;
  }
  throw std::runtime_error(kernel.name + " is not compiled for " + inputs.front().type);
}

DeviceBytes to_device(const Array& array) {
  DeviceBytes device("input", array.bytes.size());
  Kokkos::deep_copy(device,
                    HostBytes(reinterpret_cast<const char*>(array.bytes.data()), device.size()));
  return device;
}

// The dimensions of `input` that are one example of the operand.
Shape core_of(const OperandInfo& operand, const Array& input) {
  const Shape inner(input.shape.begin() + 1, input.shape.end());
  if (operand.core.size() == 1 && operand.core.front().rest) return {count(inner)};
  return {inner.end() - static_cast<std::ptrdiff_t>(operand.core.size()), inner.end()};
}

DimSizes sizes_of(const KernelInfo& kernel, const std::vector<Shape>& input_cores,
                  const void* params) {
  DimSizes sizes;
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    const std::vector<CoreDim>& dims = kernel.inputs[i].core;
    for (std::size_t d = 0; d < dims.size(); ++d) sizes[dims[d].name] = input_cores[i][d];
  }
  kernel.size_outputs(sizes, params);
  return sizes;
}

Shape output_core(const OperandInfo& output, const DimSizes& sizes) {
  Shape core;
  for (const CoreDim& dim : output.core) {
    core.push_back(dim.fixed ? *dim.fixed : sizes.at(dim.name));
  }
  return core;
}

Array empty_like(DType type, std::int64_t rows, std::int64_t loops, const Shape& core) {
  Array array{std::string(name(type)), {rows}, {}};
  if (loops != 1) array.shape.push_back(loops);
  array.shape.insert(array.shape.end(), core.begin(), core.end());
  array.bytes.resize(static_cast<std::size_t>(array.size() * bytes_of_type(array.type)));
  return array;
}

}  // namespace

std::map<std::string, Array> run_kernel(const std::string& kernel, const std::vector<Array>& inputs,
                                        const Params& params) {
  const KernelInfo* info = find_kernel(kernel);
  if (info == nullptr) throw std::runtime_error("no kernel " + kernel);
  const KernelInstance& instance = instance_for(*info, inputs);
  const std::shared_ptr<const void> function = info->make_params(params);

  BlockArguments arguments;
  arguments.params = function.get();
  const std::int64_t rows = inputs.front().shape.front();
  std::vector<DeviceBytes> memory;
  std::vector<Shape> cores;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    memory.push_back(to_device(inputs[i]));
    arguments.inputs.push_back(memory.back().data());
    cores.push_back(core_of(info->inputs[i], inputs[i]));
  }
  const std::int64_t loops = inputs.front().size() / count(cores.front()) / rows;
  for (const Shape& core : cores) {
    arguments.input_layouts.push_back(packed_layout({rows, loops}, core));
  }
  arguments.levels.levels = {{"batch", rows}, {"", loops}};
  arguments.rows = {0, rows};

  const DimSizes sizes = sizes_of(*info, cores, function.get());
  std::map<std::string, Array> outputs;
  std::vector<DeviceBytes> results;
  for (std::size_t k = 0; k < info->outputs.size(); ++k) {
    const Shape core = output_core(info->outputs[k], sizes);
    Array& output = outputs[info->outputs[k].name];
    output = empty_like(instance.output_types[k], rows, loops, core);
    results.emplace_back("output", output.bytes.size());
    arguments.outputs.push_back(results.back().data());
    arguments.output_layouts.push_back(packed_layout({rows, loops}, core));
  }
  instance.run(arguments);
  for (std::size_t k = 0; k < info->outputs.size(); ++k) {
    Array& output = outputs[info->outputs[k].name];
    Kokkos::deep_copy(Kokkos::View<char*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                          reinterpret_cast<char*>(output.bytes.data()), output.bytes.size()),
                      results[k]);
  }
  return outputs;
}

}  // namespace kmap::test
