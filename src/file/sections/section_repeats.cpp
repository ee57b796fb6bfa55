// Tags of a text resource that have the id or the path of another one.
#include <functional>
#include <set>

#include "file/sections/resource_text.hpp"
#include "gdvar/file/sections.hpp"
#include "gdvar/inspect/lookup.hpp"

namespace gdvar {
namespace {

constexpr std::string_view sub_meaning =
    "engines take the first sub_resource of an id, and none of the others";
constexpr std::string_view ext_meaning = "engines take the last ext_resource of an id";
constexpr std::string_view root_meaning =
    "a scene has one root; engines make nothing of a scene with another node without a parent";
constexpr std::string_view override_meaning =
    "engines set the properties of all of these, in their order, on one node";
constexpr std::string_view nodes_meaning_3 =
    "engines make all of these nodes, with one name; paths lead to the first";
constexpr std::string_view nodes_meaning_4 =
    "engines make all of these nodes; a game finds the last one at this path, the editor the first";

class Repeats {
public:
    Repeats(const Dictionary& document, TextFamily family)
        : document_(document), modern_(is_godot_4(family)) {}

    std::vector<RepeatedTag> run() {
        ids("ext", ext_meaning);
        ids("sub", sub_meaning);
        nodes();
        return std::move(out_);
    }

private:
    using Names = std::set<std::string, std::less<>>;

    const Dictionary* part(std::string_view name) const {
        const Variant* value = document_.find(name);
        return value ? value->get_if<Dictionary>() : nullptr;
    }
    void tell(std::string path, std::string_view meaning) {
        if (told_.insert(path).second)
            out_.push_back({std::move(path), meaning});
    }
    void ids(std::string_view name, std::string_view meaning) {
        const Dictionary* tags = part(name);
        if (!tags)
            return;
        Names seen;
        for (const Dictionary::Pair& tag : *tags) {
            const bool number = tag.key.is(Type::integer);
            if (!number && !tag.key.is(Type::string))
                continue;
            const std::string id = detail::reference_id(tag.key);
            if (!seen.insert(id).second)
                tell("$." + std::string(name) + (number ? "[" + id + "]" : inspect::name_step(id)),
                     meaning);
        }
    }
    void nodes() {
        const Dictionary* tags = part("node");
        if (!tags)
            return;
        Names seen;
        for (const Dictionary::Pair& tag : *tags) {
            const Dictionary* attributes = tag.value.get_if<Dictionary>();
            if (!attributes || !attributes->find("name"))
                continue;
            std::string path = detail::node_path_of(*attributes);
            const auto [at, is_new] = seen.insert(std::move(path));
            if (is_new)
                continue;
            const bool made = attributes->find("type") || attributes->find("instance") ||
                              attributes->find("instance_placeholder");
            tell("$.node" + inspect::name_step(*at), *at == "." ? root_meaning
                                                     : !made    ? override_meaning
                                                     : modern_  ? nodes_meaning_4
                                                                : nodes_meaning_3);
        }
    }

    const Dictionary& document_;
    const bool modern_;
    Names told_;
    std::vector<RepeatedTag> out_;
};

}  // namespace

std::vector<RepeatedTag> find_repeats(const Variant& document, TextFamily family) {
    const Dictionary* parts = document.get_if<Dictionary>();
    return parts ? Repeats(*parts, family).run() : std::vector<RepeatedTag>();
}

}  // namespace gdvar
