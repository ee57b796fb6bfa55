// Tags of a text resource that have the id or the path of another one.
#include "file/sections/resource.hpp"
#include "file/sections/value_walk.hpp"
#include "gdvar/file/sections.hpp"

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

}  // namespace

std::vector<RepeatedTag> find_repeats(const Variant& document, TextFamily family) {
    std::vector<RepeatedTag> out;
    const Dictionary* parts = document.get_if<Dictionary>();
    if (!parts)
        return out;
    detail::TextSet told;
    const auto tell = [&](std::string path, std::string_view meaning) {
        if (told.insert(path).second)
            out.push_back({std::move(path), meaning});
    };
    const auto tell_ids = [&](const Dictionary* tags, const char* part, std::string_view meaning) {
        detail::TextSet seen;
        for (std::size_t i = 0; tags && i < tags->size(); ++i)
            if (const Variant& key = tags->begin()[i].key;
                detail::is_id(&key) && !seen.insert(detail::reference_id(key)).second)
                tell(part + detail::step(key), meaning);
    };
    const detail::Resource all(*parts);
    tell_ids(all.ext, "$.ext", ext_meaning);
    tell_ids(all.sub, "$.sub", sub_meaning);
    detail::TextSet seen;
    for (std::size_t i = 0; all.node && i < all.node->size(); ++i) {
        const Dictionary* attributes = all.node->begin()[i].value.get_if<Dictionary>();
        if (!attributes || !attributes->find("name"))
            continue;
        const std::string path = detail::node_path_of(*attributes);
        if (!seen.insert(path).second)
            tell("$.node" + inspect::name_step(path), path == "." ? root_meaning
                                                      : !detail::makes_node(*attributes)
                                                          ? override_meaning
                                                      : is_godot_4(family) ? nodes_meaning_4
                                                                           : nodes_meaning_3);
    }
    return out;
}

}  // namespace gdvar
