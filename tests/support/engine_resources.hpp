// The binary resources of tests/recorders/resources3.gd and resources4.gd, and what must be in
// them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "gdvar/file/binary_resource.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

/// A folder that a recorder has filled.
class ResourceFolder {
public:
    ResourceFolder(std::filesystem::path folder, std::string_view engine)
        : folder_(std::move(folder)), four_(engine == "godot-4.6.3") {}

    std::vector<std::filesystem::path> files() const {
        std::vector<std::filesystem::path> out;
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            if (entry.path().extension() == ".res" || entry.path().extension() == ".scn")
                out.push_back(entry.path());
        std::sort(out.begin(), out.end());
        return out;
    }

    /// Compares the values of every*.res with the packets that the engine made of them.
    void check_values() const {
        const auto path = folder_ / "expected.ndjson";
        const auto stored = lines_with(path, "stored");
        const auto loaded = lines_with(path, "loaded");
        ASSERT_GT(stored.size(), 40u);
        for (const char* file : {"every.res", "every_big.res", "every_compressed.res"}) {
            const auto all = decode_binary_resource(read_bytes(folder_ / file));
            ASSERT_TRUE(all) << file << ": " << to_string(all.error());
            EXPECT_EQ((*all)["header"]["big_endian"].get<bool>().value_or(false),
                      file == std::string("every_big.res"));
            for (const Json& line : stored) {
                const std::string name = line["name"];
                SCOPED_TRACE(file + (": " + name));
                std::string expected = line["stored"];
                for (const Json& other : loaded)
                    if (other["file"] == file && other["name"] == name) {
                        // Engines read the packed arrays of big-endian files in the wrong order.
                        const bool packed =
                            name.starts_with("packed_") || name.starts_with("pool_");
                        EXPECT_EQ(packed, (*all)["header"]["big_endian"] && packed);
                        if (!packed)
                            expected = other["loaded"];
                    }
                const Variant* value = stored_value(*all, name);
                ASSERT_NE(value, nullptr);
                const auto engine = decode(unhex(expected), reading(dialect()));
                ASSERT_TRUE(engine) << to_string(engine.error());
                EXPECT_TRUE(identical(*value, *engine)) << to_text(*value).value_or("?");
            }
        }
    }

    /// Compares what is at paths of the other files with texts.
    void check_trees() const {
        const std::string sub = id_at("tree.res", "$.resource.parts[0].id");
        const std::string gradient = id_at("tree.res", "$.resource.parts[1].id");
        expect("tree.res", {{"$.header.type", "\"Resource\""},
                            {"$.header.format", four_ ? "6" : "3"},
                            {"$.resource.health", "42"},
                            {"$.resource.resource_name", "\"Sword\""},
                            {"$.resource.counts", "{\n\"a\": 1,\n\"b\": 2\n}"},
                            {"$.resource.where", "NodePath(\"A/B:c\")"},
                            {"$.ext[0].path", "\"res://item.gd\""},
                            {"$.ext[0].type", "\"Script\""},
                            {"$.ext[1].path", "\"res://other.res\""},
                            {"$.resource.script.id", "0"},
                            {"$.resource.other.id", "1"},
                            {"$.sub[" + sub + "].gradient.id", gradient},
                            {"$.sub[" + sub + "].width", "64"}});
        EXPECT_EQ(class_at("tree.res", "$.resource.script"), "ExtResource");
        EXPECT_EQ(class_at("tree.res", "$.resource.other"), "ExtResource");
        EXPECT_EQ(class_at("tree.res", "$.resource.parts[0]"), "SubResource");
        EXPECT_EQ(class_at("tree.res", "$.sub[" + sub + "]"),
                  four_ ? "GradientTexture1D" : "GradientTexture");
        EXPECT_EQ(class_at("tree.res", "$.sub[" + gradient + "]"), "Gradient");
        expect("tree_relative.res", {{"$.ext[1].path", "\"./other.res\""}});
        EXPECT_EQ(find("tree_compressed.res", "$.header.compressed"), "zstd");
        EXPECT_EQ(find("tree_compressed.res", "$.resource.resource_name"), "Sword");
        check_scene();
        if (!four_)
            return;
        expect("tree.res", {{"$.header.script_class", "\"Item\""}});
        expect("other.res", {{"$.header.uid", "\"uid://xrf6og40\""}});
    }

    const Dialect& dialect() const { return four_ ? dialects::godot_4_4 : dialects::godot_3_1; }

private:
    const Variant* stored_value(const Variant& all, const std::string& name) const {
        const Object* resource = all["resource"].get_if<Object>();
        if (!resource)
            return nullptr;
        if (four_)
            return resource->find("metadata/" + name);
        const Variant* meta = resource->find("__meta__");
        const Dictionary* pairs = meta ? meta->get_if<Dictionary>() : nullptr;
        return pairs ? pairs->find(name) : nullptr;
    }

    void check_scene() const {
        expect("scene.scn", {{"$.header.type", "\"PackedScene\""},
                             {"$.resource._bundled.version", four_ ? "3" : "2"},
                             {"$.resource._bundled.names[0]", "\"Root\""},
                             {"$.resource._bundled.node_count", "3"},
                             {"$.resource._bundled.conn_count", "1"}});
        EXPECT_EQ(class_at("scene.scn", "$.resource"), "PackedScene");
        expect("inner_script.res", {{"$.header.big_endian", "true"}, {"$.resource.level", "9"}});
        const std::string id = id_at("inner_script.res", "$.resource.script.id");
        EXPECT_EQ(find("inner_script.res", "$.sub[" + id + "][\"script/source\"]").substr(0, 7),
                  "extends");
    }

    /// Calls `use` with what is at the path.
    template <class Use>
    void with(const std::string& file, const std::string& path, Use&& use) const {
        const auto read = read_binary_resource(read_bytes(folder_ / file));
        ASSERT_TRUE(read) << file << ": " << to_string(read.error());
        const auto document = Document::parse(as_bytes(read->packet),
                                              {.dialect = read->dialect, .allow_objects = true});
        ASSERT_TRUE(document) << to_string(document.error());
        const auto found = inspect::lookup(document->root(), path);
        ASSERT_TRUE(found) << file << ' ' << path << ": " << to_string(found.error());
        use(*found);
    }
    void expect(const std::string& file, const std::map<std::string, std::string>& texts) const {
        for (const auto& [path, text] : texts)
            with(file, path, [&, &expected = text](const View& view) {
                EXPECT_EQ(to_text(view).value(), expected) << file;
            });
    }
    std::string find(const std::string& file, const std::string& path) const {
        std::string out;
        with(file, path, [&](const View& view) { out = view.get<std::string>().value_or("?"); });
        return out;
    }
    /// The text of an id: a number up to Godot 3, a String in quotes since.
    std::string id_at(const std::string& file, const std::string& path) const {
        std::string out;
        with(file, path, [&](const View& view) {
            EXPECT_EQ(view.type(), four_ ? Type::string : Type::integer);
            out = to_text(view).value_or("?");
        });
        return out;
    }
    std::string class_at(const std::string& file, const std::string& path) const {
        std::string out;
        with(file, path, [&](const View& view) { out = view.class_name(); });
        return out;
    }

    std::filesystem::path folder_;
    bool four_;
};

}  // namespace gdvar::test
