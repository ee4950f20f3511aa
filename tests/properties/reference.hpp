#pragma once
// Maps and collectives by their definitions, slowly: arrays of any rank, every example cut out,
// every group of examples listed, results stacked. Nothing of the library is used.

#include "conformance/case.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace kmap::test::reference {

using Number = std::complex<double>;  // holds all that the cases do: integers are small
using Dims = std::vector<std::int64_t>;

struct Tensor {
  Dims shape;
  std::vector<Number> values;  // row-major

  int rank() const { return static_cast<int>(shape.size()); }
};

inline Tensor zeros(const Dims& shape) {
  return {shape, std::vector<Number>(static_cast<std::size_t>(count_of(shape)))};
}

// Calls body(index) for all indices of an array of that shape.
template <class Body>
void for_all(const Dims& shape, const Body& body) {
  const std::int64_t n = count_of(shape);
  for (std::int64_t e = 0; e < n; ++e) {
    Dims index(shape.size());
    std::int64_t rest = e;
    for (std::size_t d = shape.size(); d-- > 0;) {
      index[d] = rest % shape[d];
      rest /= shape[d];
    }
    body(index);
  }
}

inline std::size_t offset(const Dims& shape, const Dims& index) {
  std::int64_t at = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + index[d];
  return static_cast<std::size_t>(at);
}
inline Number& at(Tensor& x, const Dims& index) { return x.values[offset(x.shape, index)]; }
inline Number at(const Tensor& x, const Dims& index) { return x.values[offset(x.shape, index)]; }

inline int positive(int axis, int rank) {
  if (axis < -rank || axis >= rank) throw std::logic_error("the reference got a wrong axis");
  return axis < 0 ? axis + rank : axis;
}

inline Dims without(Dims dims, int axis) {
  dims.erase(dims.begin() + axis);
  return dims;
}
inline Dims with(Dims dims, int axis, std::int64_t value) {
  dims.insert(dims.begin() + axis, value);
  return dims;
}

// x[…, i, …], the axis gone.
inline Tensor slice(const Tensor& x, int axis, std::int64_t i) {
  Tensor y = zeros(without(x.shape, axis));
  for_all(y.shape, [&](const Dims& index) { at(y, index) = at(x, with(index, axis, i)); });
  return y;
}

inline Tensor stack(const std::vector<Tensor>& parts, int axis) {
  Tensor y = zeros(with(parts.at(0).shape, axis, static_cast<std::int64_t>(parts.size())));
  for_all(y.shape, [&](const Dims& index) {
    at(y, index) = at(parts[static_cast<std::size_t>(index[static_cast<std::size_t>(axis)])],
                      without(index, axis));
  });
  return y;
}

// Chunk k of n along an axis that stays.
inline Tensor chunk(const Tensor& x, int axis, std::int64_t n, std::int64_t k) {
  const auto a = static_cast<std::size_t>(axis);
  Dims shape = x.shape;
  shape[a] /= n;
  Tensor y = zeros(shape);
  for_all(shape, [&](Dims index) {
    Number& value = at(y, index);
    index[a] += k * shape[a];
    value = at(x, index);
  });
  return y;
}

inline Tensor concatenate(const std::vector<Tensor>& parts, int axis) {
  const auto a = static_cast<std::size_t>(axis);
  Dims shape = parts.at(0).shape;
  const std::int64_t each = shape[a];
  shape[a] *= static_cast<std::int64_t>(parts.size());
  Tensor y = zeros(shape);
  for_all(shape, [&](Dims index) {
    Number& value = at(y, index);
    const Tensor& part = parts[static_cast<std::size_t>(index[a] / each)];
    index[a] %= each;
    value = at(part, index);
  });
  return y;
}

// ---- Types

inline bool is_integer(const std::string& type) {
  return type.front() == 'i' || type.front() == 'u' || type == "bool";
}

// The nearest value of the type; integers wrap.
inline Number rounded(const std::string& type, Number value) {
  if (type == "f4" || type == "c8") {
    return {static_cast<double>(static_cast<float>(value.real())),
            static_cast<double>(static_cast<float>(value.imag()))};
  }
  if (type == "bool") return value.real() != 0 ? 1 : 0;
  if (is_integer(type) && bytes_of(type) < 8) {
    const double period = std::ldexp(1.0, static_cast<int>(8 * bytes_of(type)));
    double wrapped = std::fmod(value.real(), period);
    if (wrapped < 0) wrapped += period;
    if (type.front() == 'i' && wrapped >= period / 2) wrapped -= period;
    return wrapped;
  }
  return value;
}

template <class Body>
void with_type(const std::string& type, const Body& body) {
  if (type == "bool") return body(bool{});
  if (type == "i1") return body(std::int8_t{});
  if (type == "i2") return body(std::int16_t{});
  if (type == "i4") return body(std::int32_t{});
  if (type == "i8") return body(std::int64_t{});
  if (type == "u1") return body(std::uint8_t{});
  if (type == "u2") return body(std::uint16_t{});
  if (type == "u4") return body(std::uint32_t{});
  if (type == "u8") return body(std::uint64_t{});
  if (type == "f4") return body(float{});
  if (type == "f8") return body(double{});
  if (type == "c8") return body(std::complex<float>{});
  if (type == "c16") return body(std::complex<double>{});
  throw std::logic_error("the reference got an unknown type");
}

inline Tensor from_bytes(const CaseArray& array) {
  Tensor x = zeros(array.shape);
  with_type(array.type, [&](auto value) {
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      std::memcpy(&value, array.bytes.data() + i * sizeof(value), sizeof(value));
      if constexpr (std::is_arithmetic_v<decltype(value)>) {
        x.values[i] = static_cast<double>(value);
      } else {
        x.values[i] = {static_cast<double>(value.real()), static_cast<double>(value.imag())};
      }
    }
  });
  return x;
}

inline CaseArray to_bytes(const Tensor& x, const std::string& type) {
  CaseArray array{type, x.shape, std::vector<std::byte>(x.values.size() * bytes_of(type))};
  with_type(type, [&](auto value) {
    using T = decltype(value);
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      if constexpr (std::is_same_v<T, bool>) {
        value = x.values[i].real() != 0;
      } else if constexpr (std::is_unsigned_v<T>) {
        value = static_cast<T>(static_cast<std::int64_t>(x.values[i].real()));  // wraps
      } else if constexpr (std::is_arithmetic_v<T>) {
        value = static_cast<T>(x.values[i].real());
      } else {
        using Part = typename T::value_type;
        value = T(static_cast<Part>(x.values[i].real()), static_cast<Part>(x.values[i].imag()));
      }
      std::memcpy(array.bytes.data() + i * sizeof(value), &value, sizeof(value));
    }
  });
  return array;
}

inline std::string result_type(const std::string& op, const std::string& type) {
  if (op == "axis_index") return "i4";
  if (op == "axis_size") return "i8";
  if (op == "psum" && type == "bool") return "i4";
  if (op == "pmean" && is_integer(type)) {
    return type != "bool" && bytes_of(type) == 8 ? "f8" : "f4";
  }
  return type;
}

// ---- Functions of one example

inline std::vector<Tensor> function(const Case& c, const std::vector<Tensor>& x) {
  const std::string& type = c.x[0].type;
  const auto each = [&](const auto& f) {
    Tensor y = x[0];
    for (Number& value : y.values) value = rounded(type, f(value));
    return std::vector<Tensor>{y};
  };
  if (c.op == "identity") return each([](Number v) { return v; });
  if (c.op == "negate" && type == "bool") return each([](Number v) { return 1.0 - v; });
  if (c.op == "negate") return each([](Number v) { return -v; });
  if (c.op == "square") return each([](Number v) { return v * v; });
  if (c.op == "second") return {x[1]};
  if (c.op == "sum") {
    Tensor y = zeros({});
    for (const Number& value : x[0].values) y.values[0] += value;
    return {y};
  }
  if (c.op == "transpose") {
    Tensor y = zeros({x[0].shape.rbegin(), x[0].shape.rend()});
    for_all(y.shape,
            [&](const Dims& index) { at(y, index) = at(x[0], {index.rbegin(), index.rend()}); });
    return {y};
  }
  if (c.op == "dot") {
    Tensor y = zeros({});
    for (std::size_t i = 0; i < x[0].values.size(); ++i) {
      y.values[0] += x[0].values[i] * x[1].values[i];
    }
    return {y};
  }
  Tensor y = x[0];
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    y.values[i] += (c.op == "subtract" ? -1.0 : 1.0) * x[1].values[i];
  }
  if (c.op == "subtract") return {y};
  if (c.op == "sum_and_second") return {y, x[1]};
  throw std::logic_error("the reference does not know " + c.op);
}

// ---- Collectives: from the operands of the members of one group to their results

inline Tensor combine(const Case& c, const std::vector<const Tensor*>& x) {
  const std::string sum_type = result_type("psum", c.x[0].type);
  Tensor y = *x.at(0);
  for (std::size_t e = 0; e < y.values.size(); ++e) {
    for (std::size_t m = 1; m < x.size(); ++m) {
      const Number value = x[m]->values[e];
      Number& so_far = y.values[e];
      if (c.op == "pmax" || c.op == "pmin") {
        const double a = so_far.real();
        const double b = value.real();
        const bool take = std::isnan(b) || (c.op == "pmax" ? b > a : b < a);
        if (take && !std::isnan(a)) so_far = value;
      } else {
        so_far = rounded(sum_type, so_far + value);
      }
    }
    if (c.op == "pmean") {
      y.values[e] = rounded(result_type("pmean", c.x[0].type),
                            rounded(c.x[0].type == "bool" ? "i4" : c.x[0].type, y.values[e]) /
                                static_cast<double>(x.size()));
    }
  }
  return y;
}

// The result of the member at `place` of the group.
inline Tensor collective(const Case& c, const std::vector<const Tensor*>& x, std::int64_t place) {
  const auto n = static_cast<std::int64_t>(x.size());
  const auto me = static_cast<std::size_t>(place);
  const int rank = x[0]->rank();
  const std::string& op = c.op;
  const auto all = [&] {
    std::vector<Tensor> parts;
    for (const Tensor* part : x) parts.push_back(*part);
    return parts;
  };
  if (op == "psum" || op == "pmean" || op == "pmax" || op == "pmin") return combine(c, x);
  if (op == "psum_scatter") {
    Case sum = c;
    sum.op = "psum";
    const int axis = positive(c.axis, rank);
    return c.tiled ? chunk(combine(sum, x), axis, n, place) : slice(combine(sum, x), axis, place);
  }
  if (op == "all_gather") {
    return c.tiled ? concatenate(all(), positive(c.axis, rank))
                   : stack(all(), positive(c.axis, rank + 1));
  }
  if (op == "all_to_all" || op == "pswapaxes") {
    const int split = positive(op == "pswapaxes" ? c.axis : c.split, rank);
    const int concat = positive(op == "pswapaxes" ? c.axis : c.concat, rank);
    std::vector<Tensor> parts;
    for (const Tensor* part : x) {
      parts.push_back(c.tiled ? chunk(*part, split, n, place) : slice(*part, split, place));
    }
    return c.tiled ? concatenate(parts, concat) : stack(parts, concat);
  }
  if (op == "ppermute") {
    for (const auto& [from, to] : c.pairs) {
      if (to == place) return *x[static_cast<std::size_t>(from)];
    }
    return zeros(x[me]->shape);
  }
  if (op == "ring") return *x[static_cast<std::size_t>(((place - c.source) % n + n) % n)];
  if (op == "pshuffle") return *x[static_cast<std::size_t>(c.permutation.at(me))];
  if (op == "pbroadcast") return *x[static_cast<std::size_t>(c.source)];
  Tensor y = zeros({});
  if (op == "axis_index") y.values[0] = static_cast<double>(place);
  if (op == "axis_size") y.values[0] = static_cast<double>(n);
  return y;
}

// ---- Maps

class Maps {
 public:
  explicit Maps(const Case& c) : case_(c) {
    for (const CaseArray& x : c.x) whole_.push_back(from_bytes(x));
    for (std::size_t l = 0; l < c.levels.size(); ++l) sizes_.push_back(size_of(l));
  }

  std::vector<CaseArray> run() const {
    std::map<Dims, std::vector<Tensor>> examples;
    for_all(sizes_, [&](const Dims& index) { examples[index] = arguments(index); });
    std::map<Dims, std::vector<Tensor>> results;
    for (const auto& [index, x] : examples) {
      results[index] = case_.names.empty() ? function(case_, x)
                                           : std::vector<Tensor>{collective_at(index, examples)};
    }
    std::vector<CaseArray> y;
    for (std::size_t k = 0; k < case_.levels[0].out.size(); ++k) {
      y.push_back(to_bytes(assemble(k, {}, results), result_type(case_.op, case_.x[0].type)));
    }
    return y;
  }

 private:
  // What the mapped axes of the arguments, as the levels outside leave them, say, or axis_size.
  std::int64_t size_of(std::size_t level) const {
    for (std::size_t i = 0; i < whole_.size(); ++i) {
      Dims shape = whole_[i].shape;
      for (std::size_t l = 0; l <= level; ++l) {
        const auto& axis = case_.levels[l].in[i];
        if (!axis) continue;
        const int a = positive(*axis, static_cast<int>(shape.size()));
        if (l == level) return shape[static_cast<std::size_t>(a)];
        shape = without(shape, a);
      }
    }
    return case_.levels[level].size;
  }

  std::vector<Tensor> arguments(const Dims& index) const {
    std::vector<Tensor> x = whole_;
    for (std::size_t l = 0; l < case_.levels.size(); ++l) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto& axis = case_.levels[l].in[i];
        if (axis) x[i] = slice(x[i], positive(*axis, x[i].rank()), index[l]);
      }
    }
    return x;
  }

  // The level of a name: the innermost of that name.
  std::size_t level_of(const std::string& name) const {
    if (case_.shadowed) return 1;
    return name == "i" ? 0 : name == "j" ? 1 : 2;
  }

  Tensor collective_at(const Dims& index,
                       const std::map<Dims, std::vector<Tensor>>& examples) const {
    // All examples along the named axes, in row-major order, and where this one is.
    Dims named;
    for (const std::string& name : case_.names) named.push_back(sizes_[level_of(name)]);
    std::vector<const Tensor*> all;
    std::int64_t place = -1;
    for_all(named, [&](const Dims& along) {
      Dims other = index;
      for (std::size_t k = 0; k < named.size(); ++k) other[level_of(case_.names[k])] = along[k];
      if (other == index) place = static_cast<std::int64_t>(all.size());
      all.push_back(&examples.at(other).at(0));
    });
    if (!case_.groups) return collective(case_, all, place);
    for (const auto& group : *case_.groups) {
      const auto found = std::find(group.begin(), group.end(), place);
      if (found == group.end()) continue;
      std::vector<const Tensor*> members;
      for (const std::int64_t m : group) members.push_back(all.at(static_cast<std::size_t>(m)));
      return collective(case_, members, found - group.begin());
    }
    throw std::logic_error("the groups do not cover the axis");
  }

  // Output k of all examples below `outer`, each level's stacked at its axis.
  Tensor assemble(std::size_t k, const Dims& outer,
                  const std::map<Dims, std::vector<Tensor>>& results) const {
    const std::size_t level = outer.size();
    if (level == case_.levels.size()) return results.at(outer).at(k);
    std::vector<Tensor> parts;
    for (std::int64_t i = 0; i < sizes_[level]; ++i) {
      parts.push_back(assemble(k, with(outer, static_cast<int>(level), i), results));
    }
    const auto& axis = case_.levels[level].out[k];
    return axis ? stack(parts, positive(*axis, parts.at(0).rank() + 1)) : parts.at(0);
  }

  const Case& case_;
  std::vector<Tensor> whole_;
  Dims sizes_;
};

// The outputs of a case. At least one example is mapped. (In reference.cpp, compiled for speed.)
std::vector<CaseArray> run(const Case& c);

// A sum with the documented order of additions: leaves of 1024, in each of which number j is added
// to lane j mod 32 and lanes are added in halves; leaves are added in pairs.
template <class T>
T tree_sum(const std::vector<T>& x) {
  std::vector<T> leaves;
  for (std::size_t begin = 0; begin < x.size(); begin += 1024) {
    const std::size_t end = std::min(x.size(), begin + 1024);
    std::vector<T> lanes;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t lane = (i - begin) % 32;
      if (lane == lanes.size()) {
        lanes.push_back(x[i]);
      } else {
        lanes[lane] = lanes[lane] + x[i];
      }
    }
    for (std::size_t half = 16; half > 0; half /= 2) {
      for (std::size_t l = 0; l < half && l + half < lanes.size(); ++l) {
        lanes[l] = lanes[l] + lanes[l + half];
      }
    }
    leaves.push_back(lanes[0]);
  }
  while (leaves.size() > 1) {
    std::vector<T> pairs;
    for (std::size_t l = 0; l < leaves.size(); l += 2) {
      pairs.push_back(l + 1 < leaves.size() ? leaves[l] + leaves[l + 1] : leaves[l]);
    }
    leaves = pairs;
  }
  return leaves.empty() ? T{} : leaves[0];
}

}  // namespace kmap::test::reference
