#include "run/coordinates.hpp"

#include <algorithm>
#include <cstdint>

namespace kmap::run {

namespace {

std::vector<double> values_of(const plan::CoordinatePlan& coordinate, Range range) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(range.size()));
  for (std::int64_t i = range.begin; i < range.end; ++i) values.push_back(coordinate.value(i));
  return values;
}

}  // namespace

std::vector<int> create_coordinates(const plan::Plan& plan, io::OutputFile& file) {
  std::vector<int> datasets;
  for (const plan::CoordinatePlan& coordinate : plan.coordinates) {
    datasets.push_back(file.create_dataset(coordinate.path, coordinate.stored, coordinate.shape));
    if (!coordinate.unit.empty()) {
      file.write_attribute(coordinate.path, "units", coordinate.unit);
    }
  }
  return datasets;
}

void write_coordinates(const Communicator& comm, const plan::Plan& plan, io::OutputFile& file,
                       const std::vector<int>& datasets) {
  // In pieces, so that no coordinate needs memory beside that of the blocks.
  constexpr std::int64_t most = std::int64_t{1} << 16;
  for (std::size_t k = 0; k < plan.coordinates.size(); ++k) {
    const plan::CoordinatePlan& coordinate = plan.coordinates[k];
    const std::int64_t size = coordinate.shape.front();
    for (std::int64_t begin = 0; begin < size; begin += most) {
      const Range piece = {begin, std::min(size, begin + most)};
      const Range mine = comm.is_root() ? piece : Range{begin, begin};
      const std::vector<double> values = agreed(comm, [&] { return values_of(coordinate, mine); });
      file.write_rows(datasets[k], mine, DType::f8, values.data());
    }
  }
}

}  // namespace kmap::run
