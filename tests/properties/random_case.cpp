#include "properties/random_case.hpp"

#include "properties/reference.hpp"

#include <algorithm>

namespace kmap::test {

namespace {

const std::vector<std::string> types = {"bool", "i1", "i2", "i4", "i8", "u1", "u2",
                                        "u4",   "u8", "f4", "f8", "c8", "c16"};
const std::vector<std::string> reductions = {"psum", "pmean", "pmax", "pmin"};

using Shape = std::vector<std::int64_t>;

// Builds a case from the inside: the shape of an example of each argument, then its mapped axes.
class Draw {
 public:
  Draw(std::uint64_t seed, int number)
      : random_(seed * 1000003u + static_cast<std::uint64_t>(number)) {
    case_.id = "number " + std::to_string(number) + " of KMAP_SEED=" + std::to_string(seed);
  }

  Case draw() {
    switch (random_.between(0, 9)) {
      case 0:
        one_type();
        break;
      case 1:
      case 2:
        one_argument();
        break;
      case 3:
        two_arguments();
        break;
      case 4:
        if (random_.chance(50)) {
          over_three_axes();
          break;
        }
        [[fallthrough]];
      default:
        collective();
    }
    return case_;
  }

 private:
  Shape shape(int rank) {
    Shape result;
    for (int d = 0; d < rank; ++d) {
      result.push_back(random_.chance(15) ? 1 : random_.chance(4) ? 0 : random_.between(2, 5));
    }
    return result;
  }

  // The same axis of an array of that rank, counted from either end.
  int either(int axis, int rank) { return random_.chance(40) ? axis - rank : axis; }
  int any_axis(int rank) { return either(static_cast<int>(random_.between(0, rank - 1)), rank); }

  // Mapped at the levels where `mapped` says so; `core` is its shape as the function sees it.
  void add_argument(const std::vector<bool>& mapped, Shape core, const std::string& type) {
    std::vector<std::optional<int>> axes(mapped.size());
    for (std::size_t l = mapped.size(); l-- > 0;) {
      if (!mapped[l]) continue;
      const auto rank = static_cast<int>(core.size()) + 1;
      const auto axis = static_cast<int>(random_.between(0, rank - 1));
      core.insert(core.begin() + axis, sizes_[l]);
      axes[l] = either(axis, rank);
    }
    for (std::size_t l = 0; l < mapped.size(); ++l) case_.levels[l].in.push_back(axes[l]);
    case_.x.push_back(random_array(random_, type, core));
    case_.layouts.push_back(static_cast<CaseLayout>(random_.between(0, 2)));
  }

  // An output of that rank, kept from the outermost axis if it is the same along it.
  void add_output(int core_rank, bool drop_outermost = false) {
    int rank = core_rank;
    for (std::size_t l = case_.levels.size(); l-- > 0;) {
      if (l == 0 && drop_outermost) {
        case_.levels[l].out.push_back(std::nullopt);
      } else {
        case_.levels[l].out.push_back(any_axis(++rank));
      }
    }
  }

  void set_levels(int levels) {
    for (int l = 0; l < levels; ++l) {
      case_.levels.emplace_back();
      sizes_.push_back(random_.chance(20) ? 1 : random_.between(2, levels == 1 ? 9 : 4));
    }
  }

  // Sizes that no argument says, and some that one does.
  void set_sizes() {
    for (std::size_t l = 0; l < case_.levels.size(); ++l) {
      const auto& in = case_.levels[l].in;
      const bool said = std::any_of(in.begin(), in.end(), [](const auto& axis) { return !!axis; });
      if (!said || random_.chance(20)) case_.levels[l].size = sizes_[l];
    }
  }

  void one_type() {
    case_.kind = "type";
    set_levels(1);
    const std::string type = random_.pick(types);
    add_argument({true}, {}, type);
    case_.levels[0].in = {0};
    case_.levels[0].out = {0};
    set_sizes();
    if (random_.chance(40)) {
      case_.op = random_.pick(std::vector<std::string>{"identity", "negate", "square"});
      return;
    }
    case_.names = {"i"};
    case_.op = random_.chance(20) ? "ppermute" : random_.pick(reductions);
    if (type.front() == 'c' && case_.op.starts_with("pm") && case_.op != "pmean") case_.op = "psum";
    if (case_.op == "ppermute") draw_pairs(sizes_[0]);
    if (case_.op == "pmean") case_.tolerance = bytes_of(type) < 8 || type == "c8" ? 1e-6 : 1e-15;
  }

  void one_argument() {
    case_.kind = "one argument";
    struct Form {
      std::vector<bool> mapped;
      int most_rank;
    };
    const std::vector<Form> forms = {
        {{true}, 3},  {{true}, 3},        {{true, true}, 2},  {{true, true}, 2},
        {{false}, 1}, {{true, false}, 1}, {{false, true}, 1}, {{true, true, true}, 1}};
    const Form form = random_.pick(forms);
    const auto rank = static_cast<int>(random_.between(0, form.most_rank));
    set_levels(static_cast<int>(form.mapped.size()));
    add_argument(form.mapped, shape(rank), "f8");
    set_sizes();
    case_.op = random_.pick(std::vector<std::string>{"identity", "negate", "square", "transpose"});
    const bool all_mapped = form.mapped == std::vector<bool>{true};
    const bool two = form.mapped == std::vector<bool>{true, true};
    const bool sums = (all_mapped && (rank == 1 || rank == 2)) || (two && rank == 1);
    if (sums && random_.chance(40)) {
      case_.op = "sum";
      add_output(0);
    } else {
      add_output(rank, form.mapped == std::vector<bool>{false} && rank == 1 && random_.chance(50));
    }
  }

  void two_arguments() {
    case_.kind = "two arguments";
    if (random_.chance(25)) {
      set_levels(2);
      const bool swapped = random_.chance(50);
      const int rank = random_.chance(50) ? 1 : 0;
      const Shape core = shape(rank);
      add_argument({!swapped, swapped}, core, "f8");
      add_argument({swapped, !swapped}, core, "f8");
      case_.op = rank == 1 ? "dot" : random_.chance(50) ? "subtract" : "second";
      add_output(0);
    } else {
      set_levels(1);
      const auto which = random_.between(1, 3);
      const bool pair = which != 2 && random_.chance(40);
      const Shape core = shape(pair || random_.chance(60) ? 1 : 0);
      add_argument({(which & 1) != 0}, core, "f8");
      add_argument({(which & 2) != 0}, core, "f8");
      if (pair) {
        case_.op = "sum_and_second";
        add_output(1);
        add_output(1, which == 1 && random_.chance(40));
      } else {
        case_.op = random_.chance(50) ? "subtract" : "second";
        if (core.size() == 1 && random_.chance(40)) case_.op = "dot";
        add_output(case_.op == "dot" ? 0 : static_cast<int>(core.size()));
      }
    }
    set_sizes();
  }

  // ---- Collectives

  void draw_pairs(std::int64_t n) {
    const auto from = random_.permutation(n);
    const auto to = random_.permutation(n);
    const std::int64_t count = random_.chance(50) ? n : random_.between(0, n);
    for (std::int64_t k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      case_.pairs.emplace_back(from[at], to[at]);
    }
  }

  // Groups of a random order; returns the size of each, or 0 if sizes differ.
  std::int64_t draw_groups(std::int64_t n, bool equal) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t d = 1; d <= n; ++d) {
      if (n % d == 0) divisors.push_back(d);
    }
    const std::int64_t size = equal ? random_.pick(divisors) : 0;
    const auto order = random_.permutation(n);
    case_.groups.emplace();
    for (std::size_t i = 0; i < order.size();) {
      const auto left = static_cast<std::int64_t>(order.size() - i);
      const auto count = static_cast<std::ptrdiff_t>(equal ? size : random_.between(1, left));
      const auto begin = order.begin() + static_cast<std::ptrdiff_t>(i);
      case_.groups->emplace_back(begin, begin + count);
      i += static_cast<std::size_t>(count);
    }
    return size;
  }

  void collective() {
    case_.kind = "collective";
    set_levels(random_.chance(50) ? 1 : 2);
    std::vector<bool> mapped(case_.levels.size(), true);
    if (random_.chance(15))
      mapped[static_cast<std::size_t>(
          random_.between(0, static_cast<std::int64_t>(mapped.size()) - 1))] = false;
    case_.names = {"i"};
    if (case_.levels.size() == 2) {
      case_.names =
          random_.pick(std::vector<std::vector<std::string>>{{"i"}, {"j"}, {"i", "j"}, {"j", "i"}});
    }
    std::int64_t n = 1;
    for (const std::string& name : case_.names) n *= sizes_[name == "i" ? 0 : 1];
    if (random_.chance(6)) {
      place(mapped);
      return;
    }
    case_.op = random_.pick(std::vector<std::string>{
        "psum", "pmean", "pmax", "pmin", "psum_scatter", "psum_scatter", "all_gather", "all_gather",
        "all_to_all", "all_to_all", "pswapaxes", "ppermute", "ring", "pshuffle", "pbroadcast"});
    const std::string& op = case_.op;
    const bool reduces = std::find(reductions.begin(), reductions.end(), op) != reductions.end();
    const bool moves = op == "ppermute" || op == "ring" || op == "pshuffle" || op == "pbroadcast";
    if (!moves && random_.chance(35)) n = draw_groups(n, !reduces || random_.chance(30));
    if (op == "pmean") case_.tolerance = 1e-15;
    int rank = static_cast<int>(random_.between(0, 3));
    int out_rank = rank;
    Shape core = shape(rank);
    if (op == "psum_scatter" || op == "all_to_all" || op == "pswapaxes" || op == "all_gather") {
      case_.tiled = op != "pswapaxes" && random_.chance(50);
      // The padded result of all_gather has no more dimensions.
      rank = static_cast<int>(random_.between(op == "all_gather" && !case_.tiled ? 0 : 1, 3));
      core = shape(rank);
      out_rank = rank;
    }
    if (op == "all_gather") {
      out_rank += case_.tiled ? 0 : 1;
      case_.axis = any_axis(out_rank);
    } else if (op == "psum_scatter") {
      case_.axis = any_axis(rank);
      divide(core, case_.axis, n);
      if (!case_.tiled) --out_rank;
    } else if (op == "pswapaxes") {
      case_.axis = any_axis(rank);
      divide(core, case_.axis, n);
    } else if (op == "all_to_all") {
      case_.split = any_axis(rank);
      case_.concat = any_axis(rank);
      divide(core, case_.split, n);
    } else if (op == "ppermute") {
      draw_pairs(n);
    } else if (op == "ring") {
      case_.source = random_.between(-2 * n, 2 * n);
    } else if (op == "pshuffle") {
      case_.permutation = random_.permutation(n);
    } else if (op == "pbroadcast") {
      case_.source = random_.between(0, n - 1);
    }
    add_argument(mapped, core, "f8");
    if (op == "pmax" || op == "pmin" || moves) add_special_values();
    set_sizes();
    const bool equal_for_all =
        (reduces || op == "all_gather" || op == "pbroadcast") && !case_.groups;
    add_output(out_rank,
               case_.levels.size() == 1 && mapped[0] && equal_for_all && random_.chance(20));
  }

  void over_three_axes() {
    case_.kind = "three axes";
    set_levels(3);
    case_.names = random_.pick(std::vector<std::vector<std::string>>{
        {"i"}, {"j"}, {"k"}, {"i", "k"}, {"k", "j"}, {"j", "k", "i"}});
    std::int64_t n = 1;
    for (const std::string& name : case_.names)
      n *= sizes_[static_cast<std::size_t>(name[0] - 'i')];
    case_.op = random_.pick(std::vector<std::string>{"psum", "pmax", "ppermute", "pshuffle"});
    if (case_.op == "ppermute") draw_pairs(n);
    if (case_.op == "pshuffle") case_.permutation = random_.permutation(n);
    add_argument({true, true, true}, {}, "f8");
    set_sizes();
    add_output(0);
  }

  // Where nothing is added up.
  void add_special_values() {
    if (random_.chance(60)) return;
    constexpr double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> special = {inf, -inf, std::numeric_limits<double>::quiet_NaN()};
    reference::Tensor x = reference::from_bytes(case_.x[0]);
    for (auto& value : x.values) {
      if (random_.chance(10)) value = random_.pick(special);
    }
    case_.x[0] = reference::to_bytes(x, "f8");
  }

  // That dimension can be handed out to n.
  void divide(Shape& core, int axis, std::int64_t n) {
    const auto a = static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(core.size()) : axis);
    core[a] = case_.tiled ? n * random_.between(1, 3) : n;
  }

  void place(const std::vector<bool>& mapped) {
    case_.op = random_.chance(50) ? "axis_index" : "axis_size";
    add_argument(case_.levels.size() == 1 ? mapped : std::vector<bool>{true, true}, {}, "f8");
    set_sizes();
    add_output(0);
  }

  Random random_;
  Case case_;
  Shape sizes_;
};

}  // namespace

CaseArray random_array(Random& random, const std::string& type,
                       const std::vector<std::int64_t>& shape) {
  reference::Tensor x = reference::zeros(shape);
  for (auto& value : x.values) {
    const std::int64_t low = type.front() == 'u' || type == "bool" ? 0 : -99;
    value = static_cast<double>(random.between(low, type == "bool" ? 1 : 120));
    if (type.front() == 'c') value = {value.real(), static_cast<double>(random.between(-9, 9))};
  }
  return reference::to_bytes(x, type);
}

Case random_case(std::uint64_t seed, int number) { return Draw(seed, number).draw(); }

}  // namespace kmap::test
