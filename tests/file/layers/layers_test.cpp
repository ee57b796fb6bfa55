// The layers around what a file holds: found with a reason for each, opened, written again.
#include <gtest/gtest.h>

#include <algorithm>

#include "gdvar/file/convert_layers.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_file.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/codec.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;
using Layers = TempFolder;

Bytes bytes_of(ByteView view) {
    return {view.begin(), view.end()};
}
Bytes packet(const Variant& value, const Dialect& dialect = dialects::godot_4_4) {
    return bytes_of(as_bytes(encode(value, {.dialect = &dialect}).value()));
}
Bytes record(ByteView packet) {
    Bytes out;
    MemoryTarget target(out);
    EXPECT_TRUE(RecordWriter(target).store_packet(packet));
    return out;
}
const ContainerKey& key() {
    static const ContainerKey key = key_from_password("x").value();
    return key;
}
Bytes wrapped(ByteView inner, std::string_view names) {
    Bytes out;
    MemorySource from(inner);
    MemoryTarget to(out);
    const auto done = write_layers(from, to, find_layers(names).value(), &key());
    EXPECT_TRUE(done) << to_string(done.error());
    return out;
}
PackedByteArray array_of(ByteView bytes) {
    PackedByteArray out;
    out.append({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    return out;
}
const Variant world = Dictionary{{"hp", 7}, {"name", "Ada"}, {"items", Array{1, 2, 3}}};

/// The findings of open_layers: the stack, or the error.
std::string stack(ByteView bytes, SaveOptions options = {}) {
    if (!options.key)
        options.key = key();
    const auto opened = open_layers(std::make_unique<MemorySource>(bytes), options);
    if (!opened)
        return to_string(opened.error().error);
    return stack_in_words(opened->layers, opened->kind);
}

SaveOptions with_key() {
    return {.key = key()};
}

/// Changes $.hp of a save and reads it again.
Bytes edited(ByteView bytes, const SaveOptions& options = with_key(),
             std::string_view path = "$.hp") {
    auto save = read_save(bytes, options);
    EXPECT_TRUE(save) << to_string(save.error());
    if (!save)
        return {};
    EXPECT_TRUE(save->set(path, Variant(1234)));
    auto out = save->bytes();
    EXPECT_TRUE(out) << to_string(out.error());
    if (!out)
        return {};
    auto again = read_save(*out, options);
    EXPECT_TRUE(again) << to_string(again.error());
    if (again) {
        EXPECT_EQ(again->get<int>(path).value_or(0), 1234);
        EXPECT_EQ(stack_in_words(again->layers(), again->kind().seen_as),
                  stack_in_words(save->layers(), save->kind().seen_as));
    }
    return *out;
}

TEST_F(Layers, EveryKindIsFoundAndWrittenAgain) {
    const Bytes inner = packet(world);
    for (const char* names :
         {"gzip", "zlib", "zstd", "hex", "base64", "gcpf-fastlz", "gdec-3", "base64 > gzip",
          "gdec-4 > zlib", "gzip > gdec-3", "base64 > gdec-4 > zstd", "gzip > base64 > zlib",
          "hex > gcpf-gzip > gzip"}) {
        const Bytes file = wrapped(inner, names);
        EXPECT_EQ(stack(file), std::string(names) + " > packet");
        edited(file);
        // Records, too.
        const Bytes save = wrapped(record(inner), names);
        EXPECT_EQ(stack(save), std::string(names) + " > records");
    }
}

// A layer would hold the bytes themselves: digits in it may be a text.
TEST_F(Layers, DigitsInALayerOnlyByName) {
    for (const InputKind kind : {InputKind::hex, InputKind::base64}) {
        const std::string name(input_kind_name(kind));
        const Bytes file = wrapped(packet(world), "gzip > " + name);
        EXPECT_EQ(stack(file), "gzip > foreign");
        EXPECT_EQ(stack(file, {.as = kind}), "gzip > " + name + " > packet");
        edited(file, {.key = key(), .as = kind});
    }
}

TEST_F(Layers, WithoutMagicOnlyByName) {
    const Bytes inner = packet(world);
    for (const InputKind kind : {InputKind::deflate, InputKind::brotli}) {
        const std::string name(input_kind_name(kind));
        for (const std::string& before : {std::string(), std::string("gdec-3 > ")}) {
            const Bytes file = wrapped(inner, before + name);
            EXPECT_EQ(stack(file, {.as = kind}), before + name + " > packet");
            EXPECT_EQ(stack(file).find(name), std::string::npos);
            edited(file, {.key = key(), .as = kind});
        }
        EXPECT_EQ(stack(wrapped(inner, name + " > base64 > gzip"), {.as = kind}),
                  name + " > base64 > gzip > packet");
    }
    EXPECT_EQ(stack(inner, {.as = InputKind::gzip}),
              "error[bad_magic]: The bytes do not begin with the container's magic");
}

/// Bytes as store_pascal_string writes them. No record looks like it.
TEST_F(Layers, ATextWithItsLengthIsALayer) {
    const std::string json = R"({"hp": 7, "name": "Ädä"})";
    const Bytes file = wrapped(as_bytes(json), "pascal");
    EXPECT_EQ(file.size(), 4 + json.size());
    EXPECT_EQ(stack(file), "pascal > json");
    EXPECT_EQ(stack(wrapped(as_bytes(json), "gzip > pascal")), "gzip > pascal > json");
    EXPECT_EQ(stack(wrapped(as_bytes("[a]\nhp=7\n"), "gdec-4 > pascal")),
              "gdec-4 > pascal > config");
    const Bytes shorter = edited(file);
    EXPECT_EQ(shorter.size(), file.size() + 3);
    const std::string large = "{\"hp\": 7, \"text\": \"" + std::string(3 << 20, 'x') + "\"}";
    EXPECT_EQ(stack(wrapped(as_bytes(large), "pascal")), "pascal > json");
    // Compressed, so that its size is not known beforehand.
    EXPECT_EQ(stack(wrapped(as_bytes(large), "gzip > pascal")), "gzip > pascal > json");
    // Another length, something behind the text, or no text: no layer.
    for (const std::size_t size : {file.size() - 1, file.size() + 1}) {
        Bytes other = file;
        other.resize(size, std::byte{'}'});
        EXPECT_EQ(stack(other).find("pascal"), std::string::npos) << size;
        EXPECT_EQ(open_layers(std::make_unique<MemorySource>(other), {.as = InputKind::pascal})
                      .error()
                      .error.code,
                  size < file.size() ? Errc::truncated : Errc::trailing_bytes);
    }
    EXPECT_EQ(stack(record(packet("a text"))), "records");
    // The part before the end of a file that is cut.
    Bytes cut = file;
    cut.pop_back();
    const auto part = open_layers(std::make_unique<MemorySource>(cut),
                                  {.as = InputKind::pascal, .up_to_break = true});
    ASSERT_TRUE(part);
    ASSERT_TRUE(part->inside().rewind());
    EXPECT_EQ(read_all(part->inside()).value().size(), json.size() - 1);
    EXPECT_EQ(part->broken()->error.code, Errc::truncated);
    // Bytes that are no text can't be written.
    Bytes out;
    MemoryTarget target(out);
    for (const std::string_view wrong : {std::string_view("\xFF", 1), std::string_view("a\0", 2)}) {
        MemorySource from(as_bytes(wrong));
        EXPECT_EQ(write_layers(from, target, find_layers("pascal").value(), nullptr).error().code,
                  Errc::bad_utf8);
    }
}

/// A number in front of a container is a layer if it is a size of that, and is written back right.
TEST_F(Layers, ASizeInFrontOfAContainerIsALayer) {
    const Bytes inner = packet(world);
    for (const std::string size : {"size-u32", "size-u32-be", "size-u64", "size-u64-be"})
        for (const std::string packed : {"gzip", "zlib", "zstd", "gcpf-fastlz", "gdec-3", "gdec-4"})
            for (const std::string& name : {size, "unpacked-" + size}) {
                const std::string names = name + " > " + packed;
                const Bytes file = wrapped(inner, names);
                EXPECT_EQ(stack(file), names + " > packet");
                // The edited file opens as the same stack: the number has changed with it.
                edited(file);
                EXPECT_EQ(stack(wrapped(record(inner), "gdec-4 > " + names)),
                          "gdec-4 > " + names + " > records");
                // Another number is no size.
                const std::size_t width = size.starts_with("size-u32") ? 4 : 8;
                for (std::size_t i = 0; i < width; ++i) {
                    Bytes other = file;
                    other[i] ^= std::byte{1};
                    EXPECT_EQ(stack(other).find("size"), std::string::npos) << names << i;
                }
                // Bytes behind the container count for its own size alone.
                Bytes more = file;
                more.push_back(std::byte{0});
                EXPECT_EQ(stack(more).find("size"), std::string::npos) << names;
            }
    const std::string both = "unpacked-size-u32 > size-u32 > zlib";
    for (const std::string& names : {both, std::string("size-u64 > unpacked-size-u64 > zstd"),
                                     "base64 > " + both, std::string("gzip > size-u32 > gzip")}) {
        const Bytes file = wrapped(inner, names);
        EXPECT_EQ(stack(file), names + " > packet");
        edited(file);
    }
}

TEST_F(Layers, ASizeInFrontOfALargeStream) {
    const Bytes inner = packet(Dictionary{{"hp", 7}, {"text", std::string(3 << 20, 'x')}});
    for (const char* names :
         {"unpacked-size-u32 > gzip", "size-u32 > zlib", "gzip > size-u32 > zstd",
          "gzip > unpacked-size-u64-be > gcpf-zstd"}) {
        EXPECT_EQ(stack(wrapped(inner, names)), std::string(names) + " > packet");
        edited(wrapped(inner, names));
    }
}

/// The two files that were sent in: made by engines, and what they decompress after a change.
TEST_F(Layers, SizesThatGamesWrite) {
    const Bytes sized = from_hex(
                            "34000000789c9366606060026216289d5100a153a062209c97989b0aa29981d8"
                            "3125910100 4bc00418")
                            .value();
    EXPECT_EQ(stack(sized), "unpacked-size-u32 > zlib > packet");
    auto save = read_save(sized);
    ASSERT_TRUE(save) << to_string(save.error());
    ASSERT_TRUE(save->set("$.name", "Ada Lovelace Byron"));
    const auto made = save->bytes();
    ASSERT_TRUE(made);
    EXPECT_EQ(detail::load<std::uint32_t>(made->data()), 52u + 16);
    EXPECT_EQ(read_save(*made)->get<std::string>("$.name"), "Ada Lovelace Byron");
    const Bytes prefixed = from_hex(
                               "310000001f8b0800ce24076b02ff9366606060026216289d5100a153a062209c"
                               "97989b0aa29981d83125910100f32e458934000000")
                               .value();
    EXPECT_EQ(stack(prefixed), "size-u32 > gzip > packet");
    edited(prefixed, {}, "$.hp");
}

/// The bytes behind it must open as a layer, and a size is written in front of nothing else.
TEST_F(Layers, ANumberThatIsNoSize) {
    const auto behind_its_size = [](const Bytes& bytes) {
        Bytes out(4);
        detail::store(out.data(), static_cast<std::uint32_t>(bytes.size()));
        out.insert(out.end(), bytes.begin(), bytes.end());
        return out;
    };
    for (const char* text : {"GCPF is a fine text", "GDEC is one, too", "hello"}) {
        const Bytes file = behind_its_size(bytes_of(as_bytes(std::string_view(text))));
        EXPECT_EQ(stack(file).find("size"), std::string::npos) << text;
    }
    EXPECT_EQ(stack(behind_its_size(packet(world))), "records");
    Bytes out;
    MemoryTarget target(out);
    for (const char* names : {"size-u32", "size-u32 > hex", "size-u32 > brotli"}) {
        MemorySource from(as_bytes(std::string_view("abc")));
        EXPECT_EQ(write_layers(from, target, find_layers(names).value(), nullptr).error().code,
                  Errc::misplaced)
            << names;
    }
    EXPECT_FALSE(find_layers("size"));
    const auto forced =
        open_layers(std::make_unique<MemorySource>(packet(world)), {.as = InputKind::size});
    EXPECT_EQ(forced.error().error.code, Errc::bad_length);
}

/// A container that breaks is opened up to the break, and told as broken.
TEST_F(Layers, ASizeInFrontOfADamagedContainer) {
    for (const char* names : {"size-u32 > gzip", "size-u32-be > zstd", "size-u64 > gcpf-deflate"}) {
        Bytes file =
            wrapped(packet(Dictionary{{"hp", 7}, {"name", std::string(2000, 'a')}}), names);
        file[file.size() - 6] ^= std::byte{0x55};
        const auto part = open_layers(std::make_unique<MemorySource>(file), {.up_to_break = true});
        ASSERT_TRUE(part) << names;
        ASSERT_FALSE(part->layers.empty()) << names;
        EXPECT_TRUE(part->layers[0].kind->is_size()) << names;
    }
}

/// Layers as the engines of another dialect read them.
class ConvertedStacks : public testing::Test {
protected:
    inspect::Renames renames = inspect::Renames::godot_3_to_4();
    Losses losses;
    inspect::ConversionReport report{losses};
    Bytes file;
    OpenLayers opened;

    std::expected<ConvertedLayers, DocumentError> converted(ByteView bytes, const Dialect& to,
                                                            SaveOptions options = {}) {
        options.key = key();
        file = bytes_of(bytes);
        auto found = open_layers(std::make_unique<MemorySource>(file), options);
        EXPECT_TRUE(found);
        opened = *std::move(found);
        return convert_layers(opened.layers, {.dialect = &to}, renames, report);
    }
    /// The file with the same content in those layers.
    Bytes written(const ConvertedLayers& layers) const {
        EXPECT_TRUE(opened.inside().rewind());
        const Bytes content = read_all(opened.inside()).value();
        MemorySource from(content);
        Bytes out;
        MemoryTarget target(out);
        const auto done = write_layers(from, target, layers.layers, &key(), &opened);
        EXPECT_TRUE(done) << to_string(done.error());
        return out;
    }
};

TEST_F(ConvertedStacks, EncryptionIsTheTargets) {
    const Bytes inner = packet(world);
    const struct {
        const char *before, *after;
        const Dialect* to;
    } cases[] = {
        {"gdec-3", "gdec-4", &dialects::godot_4_0},
        {"gdec-4", "gdec-3", &dialects::godot_3_1},
        {"gdec-4", "gdec-3", &dialects::godot_2},
        {"gdec-4 > gzip > gdec-4", "gdec-3 > gzip > gdec-3", &dialects::pandemonium_5},
        {"base64 > gdec-3 > zstd", "base64 > gdec-4 > zstd", &dialects::godot_4_4},
        {"gdec-4 > hex > gzip", "gdec-4 > hex > gzip", &dialects::godot_4_3},
        {"gcpf-fastlz", "gcpf-fastlz", &dialects::godot_3_1},
    };
    for (const auto& [before, after, to] : cases) {
        const auto layers = converted(wrapped(inner, before), *to);
        ASSERT_TRUE(layers) << before;
        EXPECT_EQ(stack(written(*layers)), std::string(after) + " > packet");
        const auto changed = std::ranges::count_if(
            layers->notes, [](const LayerNote& note) { return note.changed; });
        const std::string_view was = before;
        EXPECT_EQ(changed, was == after ? 0 : was.starts_with("gdec-4 >") ? 2 : 1) << before;
        edited(written(*layers));
    }
}

TEST_F(ConvertedStacks, WhatTheTargetCantDecompressIsNoted) {
    const auto notes = [&](const char* name, const Dialect& to) {
        const auto as = find_layer_kind(name)->seen_as;
        const auto layers = converted(wrapped(packet(world), name), to, {.as = as});
        return layers && !layers->notes.empty() && !layers->notes[0].changed ? layers->notes[0].what
                                                                             : std::string();
    };
    EXPECT_EQ(notes("brotli", dialects::godot_3_1), "godot-3.1's engines can't decompress Brotli");
    EXPECT_EQ(notes("brotli", dialects::godot_4_4), "");
    EXPECT_NE(notes("deflate", dialects::godot_4_4), "");
    EXPECT_EQ(notes("zlib", dialects::godot_3_1), "");
}

TEST_F(ConvertedStacks, DocumentsAroundValuesAreConverted) {
    const Dialect& three = dialects::godot_3_1;
    const Variant outer =
        Dictionary{{"version", 3},
                   {"at", Vector2(1, 2)},
                   {"data", Variant(array_of(wrapped(packet(world, three), "gzip")))}};
    const SaveOptions inside{.inside = {"$.data"}};
    const auto layers =
        converted(wrapped(record(packet(outer, three)), "gdec-3"), dialects::godot_4_4, inside);
    ASSERT_TRUE(layers);
    EXPECT_TRUE(losses.empty());
    ASSERT_EQ(layers->notes.size(), 2u);
    EXPECT_EQ(layers->notes[1].what, "the records around the value became godot-4.4's");
    const Bytes four = written(*layers);
    auto save = read_save(four, with_key()).value();
    EXPECT_EQ(stack_in_words(save.layers(), save.kind().seen_as, &save.dialect()),
              "gdec-4 > godot-4.4 records");
    EXPECT_EQ(save.get<int>("#0 $.version"), 3);
    EXPECT_EQ(save.get("#0 $.at").value(), Variant(Vector2(1, 2)));
    SaveOptions deeper = with_key();
    deeper.inside = {"$.data"};
    EXPECT_EQ(read_save(four, deeper).value().get<int>("$.hp"), 7);
    // And back.
    const auto again = converted(four, three, inside);
    ASSERT_TRUE(again);
    EXPECT_EQ(read_save(written(*again), deeper).value().get<int>("$.hp"), 7);
}

TEST_F(ConvertedStacks, TextsAroundValuesStayTexts) {
    const std::string digits(std::string_view("eyJocCI6IDd9"));  // {"hp": 7}
    const std::string config = "; mine\n[a]\nids=PoolIntArray( 1, 2 )\ndata=\"" + digits + "\"\n";
    const auto layers = converted(as_bytes(config), dialects::godot_4_4, {.inside = {"$.a.data"}});
    ASSERT_TRUE(layers);
    const Bytes made = written(*layers);
    EXPECT_EQ(detail::as_text(made.data(), made.size()),
              "; mine\n[a]\nids=PackedInt32Array(1, 2)\ndata=\"" + digits + "\"\n");
    // JSON is the same for all engines.
    const std::string json = R"({"data": "eyJocCI6IDd9"})";
    const auto same = converted(as_bytes(json), dialects::godot_3_1, {.inside = {"$.data"}});
    ASSERT_TRUE(same);
    EXPECT_TRUE(same->notes.empty());
}

TEST_F(ConvertedStacks, SaveFileConvertsThemToo) {
    const Dialect &three = dialects::godot_3_1, &four = dialects::godot_4_4;
    const Bytes inside = wrapped(packet(world, three), "gzip");
    const Bytes save = wrapped(record(packet(Variant(array_of(inside)), three)), "gdec-3");
    auto opened_save = read_save(save, with_key()).value();
    EXPECT_EQ(
        stack_in_words(opened_save.layers(), opened_save.kind().seen_as, &opened_save.dialect()),
        "gdec-3 > godot-3.1 records > bytes > gzip > godot-3.1 packet");
    const auto made = opened_save.convert(four, renames, report);
    ASSERT_TRUE(made) << to_string(made.error().error);
    auto again = read_save(*made, with_key()).value();
    EXPECT_EQ(stack_in_words(again.layers(), again.kind().seen_as, &again.dialect()),
              "gdec-4 > godot-4.4 records > bytes > gzip > godot-4.4 packet");
    EXPECT_EQ(again.get<int>("$.hp"), 7);
    // With layers of the caller's: these.
    const auto kept = opened_save.convert(four, renames, report, &opened_save.layers());
    ASSERT_TRUE(kept);
    EXPECT_EQ(stack(*kept), "gdec-3 > godot-3.1 records > bytes > gzip > packet");
    EXPECT_TRUE(losses.empty());
}

TEST_F(ConvertedStacks, WhatIsLostAroundAValueIsReported) {
    const Variant outer = Array{Variant(StringName("x")), Variant("eyJocCI6IDd9")};
    losses.prefix = "around: $";
    const auto layers =
        converted(record(packet(outer)), dialects::godot_3_1, {.inside = {"#0 $[1]"}});
    ASSERT_TRUE(layers);
    ASSERT_EQ(losses.kinds().size(), 1u);
    EXPECT_EQ(losses.kinds()[0].paths, std::vector<std::string>{"around: #0 $[0]"});
    EXPECT_EQ(losses.prefix, "around: $");
    // Written, it is counted no second time.
    EXPECT_EQ(stack(written(*layers), {.inside = {"#0 $[1]"}}),
              "godot-3.1 records > string at #0 $[1] > base64 > json");
    EXPECT_EQ(losses.count(), 1u);
}

TEST_F(Layers, NamesAreParsed) {
    const auto layers = find_layers("base64>gdec-4 >  gcpf-zstd").value();
    EXPECT_EQ(stack_in_words(layers, InputKind::records, &dialects::godot_3_1),
              "base64 > gdec-4 > gcpf-zstd > godot-3.1 records");
    for (const char* wrong : {"", ">", "gzip >", "rot13", "string", "bytes", "gzip > string"})
        EXPECT_EQ(find_layers(wrong).error().code, Errc::bad_mode) << wrong;
}

TEST_F(Layers, HeadersOfCompressionStay) {
    // gzip writes the name of a file and its time; an edit keeps both.
    Bytes file = wrapped(packet(world), "gzip");
    const Bytes name = bytes_of(as_bytes(std::string_view("game.save\0", 10)));
    file[3] = std::byte{8};
    file[5] = std::byte{0x42};
    file.insert(file.begin() + 10, name.begin(), name.end());
    const Bytes out = edited(file);
    EXPECT_EQ(Bytes(out.begin(), out.begin() + 20), Bytes(file.begin(), file.begin() + 20));
    // Bytes behind stay.
    Bytes longer = file;
    longer.push_back(std::byte{'!'});
    EXPECT_EQ(edited(longer).back(), std::byte{'!'});
}

TEST_F(Layers, DigitsGoBackInTheirOwnForm) {
    const Bytes inner = packet(world);
    const std::string plain = to_base64(inner), hex = to_hex(inner);
    const auto lines = [](const std::string& text, std::size_t length, const char* end) {
        std::string out;
        for (std::size_t at = 0; at < text.size(); at += length)
            out += (at ? end : "") + text.substr(at, length);
        return out;
    };
    std::string url = plain, upper = hex;
    std::ranges::replace(url, '+', '-');
    std::ranges::replace(url, '/', '_');
    for (char& c : upper)
        c = c >= 'a' ? static_cast<char>(c - 32) : c;
    for (const std::string& text :
         {plain, plain + "\n", lines(plain, 76, "\r\n"), lines(plain, 64, "\n") + "\n",
          "\n  " + plain, plain.substr(0, plain.find('=')), hex, "0x" + hex, upper + "\r\n",
          lines(hex, 2, " "), lines(upper, 32, "\n"), url}) {
        const bool base64 =
            text.find_first_of("ghijklmnopqrstuvwxyz") != text.npos && !text.starts_with("0x");
        const auto read =
            read_digits(text, base64 ? DigitForm::Digits::base64 : DigitForm::Digits::hex);
        ASSERT_TRUE(read) << text;
        EXPECT_TRUE(read->exact) << text;
        EXPECT_EQ(digits_of(inner, read->form), text);
        const Bytes out = edited(as_bytes(text));
        // The same length in the same form.
        EXPECT_EQ(out.size(), text.size()) << text;
    }
    // A text without a form can be read, and is not written.
    const std::string loose = lines(plain, 10, "\n") + " " + "\n\n";
    const std::string uneven =
        plain.substr(0, 10) + "\n" + plain.substr(10, 3) + " " + plain.substr(13);
    EXPECT_EQ(edited(as_bytes(loose)).size(), loose.size()) << "only the white space behind";
    auto save = read_save(as_bytes(uneven));
    ASSERT_TRUE(save);
    EXPECT_EQ(save->get<int>("$.hp").value(), 7);
    ASSERT_TRUE(save->set("$.hp", Variant(8)));
    EXPECT_EQ(to_string(save->bytes().error()),
              "error[bad_base64]: the bytes are spelled or spread in no regular way, so the text "
              "can't be written again in its own form");
}

TEST_F(Layers, AValueThatHoldsADocumentIsALayer) {
    const Bytes inner = packet(world);
    const std::string base64 = to_base64(wrapped(inner, "gzip"));
    const struct {
        Bytes file;
        const char* stack;
    } cases[] = {
        {packet(base64), "packet > string > base64 > gzip > packet"},
        {record(packet(base64)), "records > string > base64 > gzip > packet"},
        {packet(StringName(base64)), "godot-4.4 packet > string-name > base64 > gzip > packet"},
        {record(packet(array_of(inner))), "godot-4.4 records > bytes > packet"},
        {packet(array_of(wrapped(inner, "zstd")), dialects::godot_3_1),
         "godot-3.1 packet > bytes > zstd > packet"},
        {wrapped(record(packet(array_of(wrapped(inner, "gdec-4")))), "gcpf-zstd"),
         "gcpf-zstd > godot-4.4 records > bytes > gdec-4 > packet"},
        {packet(array_of(packet(array_of(inner)))),
         "godot-4.4 packet > bytes > godot-4.4 packet > bytes > packet"},
        {packet(array_of(record(inner))), "godot-4.4 packet > bytes > records"},
        // A text that is no more than a String.
        {bytes_of(as_bytes('"' + base64 + "\"\n")), "json > string > base64 > gzip > packet"},
    };
    for (const auto& [file, expected] : cases) {
        SCOPED_TRACE(expected);
        EXPECT_EQ(stack(file), expected);
        const Bytes out = edited(file);
        // Without the layers inside, it is the value.
        auto outer =
            read_save(out, {.key = key(),
                            .as = out[0] == std::byte{'"'} ? InputKind::json : InputKind::unknown,
                            .values = false});
        ASSERT_TRUE(outer);
        EXPECT_EQ(outer->items().size(), 1u);
        EXPECT_TRUE(outer->get("$").value().is(Type::string) ||
                    outer->get("$").value().is(Type::string_name) ||
                    outer->get("$").value().is(Type::packed_byte_array));
    }
    // All of the document around the value stays: dialect, frame, a newline too many.
    Bytes file = record(packet(array_of(inner), dialects::godot_3_1));
    file.push_back(std::byte{'\n'});
    EXPECT_EQ(edited(file).back(), std::byte{'\n'});
}

TEST_F(Layers, ValuesThatHoldTexts) {
    const std::string json = "{\"hp\": 7, \"name\": \"Ada\"}";
    const std::string text = "{ \"pos\": Vector2(1, 2), \"hp\": 7 }";
    const struct {
        Bytes file;
        const char* stack;
    } cases[] = {
        {packet(json), "packet > string > json"},
        {record(packet(json, dialects::godot_3_1)), "records > string > json"},
        {packet(array_of(as_bytes(json))), "godot-4.4 packet > bytes > json"},
        {packet(text), "packet > string > text"},
        {packet("{\"a\": 1}\n{\"b\": 2}\n"), "packet > string > json-lines"},
        {packet(to_base64(as_bytes(json))), "packet > string > base64 > json"},
        {wrapped(as_bytes(json), "gdec-3"), "gdec-3 > json"},
        {wrapped(as_bytes(json), "base64 > zlib"), "base64 > zlib > json"},
        {wrapped(as_bytes(json), "gzip > base64"), "gzip > base64 > json"},
        {wrapped(as_bytes(json), "base64"), "base64 > json"},
        {wrapped(as_bytes(json), "hex"), "hex > json"},
        {bytes_of(as_bytes(std::string("\"{\\\"hp\\\": 7}\""))), "json > string > json"},
    };
    for (const auto& [file, expected] : cases) {
        SCOPED_TRACE(expected);
        EXPECT_EQ(stack(file), expected);
        const std::string_view of(expected);
        edited(file, with_key(), of.ends_with("lines") ? "#0 $.a" : "$.hp");
    }
    // A text that is Base64 of a text, but of none with a form.
    EXPECT_EQ(stack(as_bytes(to_base64(as_bytes(std::string("only some words"))))), "foreign");
    EXPECT_EQ(stack(as_bytes(std::string("\"5\""))), "foreign");
    EXPECT_EQ(read_save(packet(json)).value().get<int>("$.hp").value(), 7);
}

TEST_F(Layers, AValueThatOnlyMayHoldADocumentIsNone) {
    const Bytes inner = packet(world);
    for (const Variant& value :
         {Variant("5"), Variant("true"), Variant("hello world, this is text"),
          Variant("AgAAAAcAAAA="), Variant("deadbeefdeadbeef"),
          Variant(array_of(packet(Variant(7)))), Variant(array_of(packet(Variant("a string")))),
          Variant(array_of(packet(Dictionary()))), Variant(array_of(Bytes(100))),
          Variant(array_of(ByteView(wrapped(inner, "gzip")).first(40))),
          Variant(array_of(as_bytes(std::string_view("\x89PNG\r\n\x1a\n and more"))))}) {
        EXPECT_EQ(stack(packet(value)), "packet");
        EXPECT_EQ(stack(record(packet(value))), "records");
        auto save = read_save(packet(value));
        ASSERT_TRUE(save);
        EXPECT_EQ(save->get("$").value(), value);
    }
    // Nor one of several values.
    const Bytes one = record(packet(array_of(inner)));
    Bytes two = one;
    two.insert(two.end(), one.begin(), one.end());
    EXPECT_EQ(stack(two), "records");
    // Encrypted, and no key: the value is shown.
    const Bytes secret = packet(array_of(wrapped(inner, "gdec-3")));
    EXPECT_EQ(read_save(secret).value().get("$").value().type(), Type::packed_byte_array);
}

TEST_F(Layers, ValuesAtAPath) {
    const Bytes inner = packet(world);
    const Variant outer = Dictionary{
        {"version", 3},
        {"text", to_base64(inner)},
        {"slots", Array{array_of(wrapped(inner, "gzip")), array_of(wrapped(inner, "zlib"))}},
        {"number", 5}};
    const Bytes file = wrapped(record(packet(outer, dialects::godot_3_1)), "gdec-3");
    const auto at = [](const char* path) {
        SaveOptions options = with_key();
        options.inside = {path};
        return options;
    };
    for (const char* path : {"$.text", "$.slots[0]", "#0 $.slots[1]", "#-1 $.slots[-1]"}) {
        SCOPED_TRACE(path);
        const Bytes out = edited(file, at(path));
        // Nothing else has changed.
        auto before = read_save(file, with_key()), after = read_save(out, with_key());
        ASSERT_TRUE(before && after);
        for (const char* other : {"$.version", "$.text", "$.slots[0]", "$.slots[1]", "$.number"}) {
            const bool same = before->get(other).value() == after->get(other).value();
            const std::string name(other), here(path);
            const bool is_it =
                here.ends_with(name.substr(2)) || (here.ends_with("[-1]") && name == "$.slots[1]");
            EXPECT_EQ(same, !is_it) << other;
        }
    }
    EXPECT_EQ(stack(file, {.inside = {"#0 $.slots[1]"}}),
              "gdec-3 > godot-3.1 records > bytes at #0 $.slots[1] > zlib > packet");
    const auto why = [&](const char* path) { return to_string(read_save(file, at(path)).error()); };
    EXPECT_EQ(why("$.nothing"), "error[missing_key]: no key \"nothing\"");
    EXPECT_EQ(
        why("$.number"),
        "error[wrong_type]: expected a String, a StringName or a PackedByteArray, found an int");
    EXPECT_EQ(why("#3 $"), "error[index_out_of_range]: no element 3: there are 1");
    // A path in a path.
    const Bytes deep =
        packet(Dictionary{{"outer", array_of(packet(Dictionary{{"inner", to_hex(inner)}}))}});
    SaveOptions both;
    both.inside = {"$.outer", "$.inner"};
    edited(deep, both);
}

TEST_F(Layers, SoManyAndNoMore) {
    const Bytes inner = packet(world);
    std::string names = "gzip";
    for (int i = 1; i < 8; ++i)
        names += " > gzip";
    EXPECT_EQ(stack(wrapped(inner, names)), names + " > packet");
    const Bytes nine = wrapped(inner, names + " > gzip");
    EXPECT_EQ(stack(nine), "error[depth_limit]: there are more than 8 layers");
    EXPECT_EQ(stack(nine, {.layers = 3}), "gzip > gzip > gzip > gzip");
    EXPECT_EQ(stack(nine, {.layers = 0}), "gzip");
    // Nine values in each other: the innermost ones stay values.
    Bytes nest = inner;
    for (int i = 0; i < 9; ++i)
        nest = packet(array_of(nest));
    EXPECT_EQ(stack(nest), "packet");
    const Bytes text = packet(to_base64(wrapped(inner, "gzip")));
    EXPECT_EQ(stack(text, {.layers = 0}), "packet");
    EXPECT_EQ(stack(text, {.layers = 2}), "packet > string > base64 > gzip");
    // Layers that are left closed need no key.
    const Bytes secret = wrapped(inner, "gzip > gdec-3");
    const auto closed = open_layers(std::make_unique<MemorySource>(secret), {.layers = 1});
    ASSERT_TRUE(closed);
    EXPECT_EQ(stack_in_words(closed->layers, closed->kind), "gzip > gdec");
    EXPECT_EQ(
        to_string(read_save(wrapped(inner, "gzip"), {.layers = 0}).error()),
        "error[not_recognised]: SaveOptions::layers leaves a layer closed, and the rest is no "
        "document");
}

TEST_F(Layers, EachHasAReason) {
    const Bytes file =
        wrapped(record(packet(array_of(wrapped(packet(world), "gzip")))), "base64 > gdec-3");
    SaveOptions options;
    options.key = key();
    const auto opened = open_layers(std::make_unique<MemorySource>(file), options);
    ASSERT_TRUE(opened);
    std::vector<std::string> reasons;
    for (const Finding& finding : opened->findings)
        reasons.push_back(finding.reason);
    EXPECT_EQ(reasons.size(), 6u);
    EXPECT_TRUE(reasons[0].starts_with("Base64 for ")) << reasons[0];
    EXPECT_EQ(reasons[1], "begins with GDEC: encrypted");
    EXPECT_TRUE(reasons[2].starts_with("1 record covers the ")) << reasons[2];
    EXPECT_TRUE(reasons[3].starts_with("the only value is a PackedByteArray of ")) << reasons[3];
    EXPECT_TRUE(reasons[4].starts_with("begins like gzip, and ")) << reasons[4];
    EXPECT_TRUE(reasons[5].starts_with("one packet of godot-4.4")) << reasons[5];
    // Without the password: what was found up to there.
    const auto closed = open_layers(std::make_unique<MemorySource>(file));
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().error.code, Errc::bad_key);
    EXPECT_EQ(stack_in_words(closed.error().found.layers, closed.error().found.kind),
              "base64 > gdec");
    // Ruled out.
    const Bytes odd = packet(array_of(wrapped(packet(world), "gdec-4")));
    const auto value = open_layers(std::make_unique<MemorySource>(odd)).value();
    ASSERT_EQ(value.findings.size(), 1u);
    ASSERT_EQ(value.findings[0].ruled_out.size(), 1u);
    EXPECT_NE(value.findings[0].ruled_out[0].reason.find("it is encrypted"), std::string::npos)
        << value.findings[0].ruled_out[0].reason;
    const Bytes records = record(Bytes(0x9C78 - 0, std::byte{}));
    const auto zlib = open_layers(std::make_unique<MemorySource>(records)).value();
    ASSERT_EQ(zlib.findings[0].ruled_out.size(), 1u);
    EXPECT_EQ(zlib.findings[0].ruled_out[0].reason, "begins like zlib, but breaks at byte 0");
}

TEST_F(Layers, DamageIsAnErrorOrEndsWhatIsInside) {
    Bytes many;
    for (int i = 0; i < 2000; ++i) {
        const Bytes one =
            record(packet(Dictionary{{"number", i}, {"noise", (i * 7919) % 104'729}}));
        many.insert(many.end(), one.begin(), one.end());
    }
    for (const char* names : {"gzip", "zlib", "gcpf-deflate", "base64", "gdec-3 > gzip"}) {
        SCOPED_TRACE(names);
        Bytes file = wrapped(many, names);
        const bool secret = std::string_view(names).starts_with("gdec");
        if (secret) {
            file = wrapped(many, "gzip");
            file[file.size() / 2] ^= std::byte{0x55};
            file = wrapped(file, "gdec-3");
        } else {
            file[file.size() / 2] = std::byte{0x01};
        }
        EXPECT_FALSE(read_save(file, with_key()));
        SaveOptions options;
        options.key = key();
        options.up_to_break = true;
        auto opened = open_layers(std::make_unique<MemorySource>(file), options);
        ASSERT_TRUE(opened) << to_string(opened.error().error);
        ASSERT_TRUE(opened->inside().rewind());
        const auto part = read_all(opened->inside());
        ASSERT_TRUE(part);
        EXPECT_GT(part->size(), many.size() / 4);
        EXPECT_LE(part->size(), many.size());
        const auto broken = opened->broken();
        ASSERT_TRUE(broken);
        EXPECT_EQ(broken->layer, secret ? 1u : 0u);
    }
}

TEST_F(Layers, BombsAndQuines) {
    const Bytes zeros(32 << 20);
    for (const char* names : {"gzip", "zlib", "zstd", "gzip > gzip", "base64 > zstd"}) {
        const Bytes bomb = wrapped(zeros, names);
        EXPECT_LT(bomb.size(), 60'000u);
        const auto save = read_save(bomb, {.max_bytes = 1 << 20});
        ASSERT_FALSE(save);
        EXPECT_TRUE(save.error().code == Errc::size_limit ||
                    save.error().code == Errc::not_recognised)
            << to_string(save.error());
    }
}

TEST_F(Layers, WhatIsTheSameAgainIsNotWritten) {
    for (const char* names : {"gzip", "gdec-4", "gcpf-zstd", "base64"}) {
        const std::string path = put("save", wrapped(packet(world), names));
        const FileStamp before = file_stamp(path).value();
        auto save = open_save(path, with_key());
        ASSERT_TRUE(save);
        ASSERT_TRUE(save->set("$.hp", Variant(8)));
        ASSERT_TRUE(save->set("$.hp", Variant(7)));
        EXPECT_TRUE(save->changed());
        ASSERT_TRUE(save->save(at("backup")));
        EXPECT_FALSE(save->changed());
        EXPECT_EQ(file_stamp(path).value(), before);
        // The next changes are compared with the saved state.
        ASSERT_TRUE(save->set("$.hp", Variant(8)));
        ASSERT_TRUE(save->save());
        ASSERT_TRUE(save->set("$.hp", Variant(7)));
        ASSERT_TRUE(save->save());
        EXPECT_EQ(open_save(path, with_key()).value().get<int>("$.hp").value(), 7);
    }
}

// WEBFISHING sends gzip over var_to_bytes of Godot 3.
TEST_F(Layers, WebfishingPackets) {
    const Bytes bare = packet(Dictionary{{"type", "message"},
                                         {"message", "hello"},
                                         {"color", "ffeed5"},
                                         {"zone_owner", -1},
                                         {"local_position", Vector3{1, 2, 3}}},
                              dialects::godot_3_1);
    const Bytes file = wrapped(bare, "gzip");
    EXPECT_EQ(stack(file), "gzip > packet");
    auto save = read_save(file).value();
    EXPECT_EQ(save.get<std::string>("$.message").value(), "hello");
    ASSERT_TRUE(save.set("$.message", Variant("goodbye")));
    auto again = read_save(save.bytes().value()).value();
    EXPECT_EQ(again.get<std::string>("$.message").value(), "goodbye");
}

// ---- zstd

TEST(Zstd, BeginsWithAFrameThatIsSkipped) {
    const Bytes frame = wrapped(packet(world), "zstd");
    const Bytes skipped = bytes_of(from_hex("5f2a4d1803000000616263").value());
    const auto joined = [](std::initializer_list<Bytes> parts) {
        Bytes out;
        for (const Bytes& part : parts)
            out.insert(out.end(), part.begin(), part.end());
        return out;
    };
    for (const Bytes& before : {skipped, joined({skipped, skipped})}) {
        const Bytes file = joined({before, frame});
        EXPECT_EQ(stack(file), "zstd > packet");
        auto save = read_save(file).value();
        ASSERT_TRUE(save.set("$.hp", 8));
        const Bytes changed = save.bytes().value();
        EXPECT_TRUE(std::ranges::equal(ByteView(changed).first(before.size()), before));
        EXPECT_EQ(*read_save(changed).value().get("$.hp"), Variant(8));
    }
    // LZ4 has such frames, too; and nothing may follow.
    for (const Bytes& other : {skipped, joined({skipped, packet(world)}),
                               joined({skipped, bytes_of(from_hex("04224d186040").value())}),
                               bytes_of(ByteView(skipped).first(9))})
        EXPECT_EQ(stack(other).find("zstd"), std::string::npos) << stack(other);
    // A frame of a length that goes past the end, and many empty ones.
    EXPECT_EQ(stack(from_hex("502a4d18ffffffff00").value()).find("zstd >"), std::string::npos);
    Bytes many;
    const Bytes empty = bytes_of(from_hex("502a4d1800000000").value());
    for (int i = 0; i < 20'000; ++i)
        many.insert(many.end(), empty.begin(), empty.end());
    many.insert(many.end(), frame.begin(), frame.end());
    const auto opened = open_layers(std::make_unique<MemorySource>(many), {.as = InputKind::zstd});
    ASSERT_TRUE(opened) << to_string(opened.error().error);
    EXPECT_EQ(opened->kind, InputKind::packet);
}

// ---- limits

TEST(TextLimit, ATextInALayerHasALimitOfItsOwn) {
    const std::string text = R"({"a": ")" + std::string(5000, 'x') + R"("})";
    const Bytes zipped = wrapped(as_bytes(text), "gzip");
    ASSERT_LT(zipped.size(), 1000u);
    EXPECT_EQ(stack(zipped), "gzip > json");
    EXPECT_EQ(stack(zipped, {.max_text = 5000}), "gzip > foreign");
    EXPECT_EQ(stack(zipped, {.max_text = text.size()}), "gzip > json");
    // A text may be as large as the file, which nothing has made larger.
    EXPECT_EQ(stack(wrapped(as_bytes(text), "base64"), {.max_text = 5000}), "base64 > json");
    EXPECT_EQ(stack(as_bytes(text), {.max_text = 5000}), "json");
    for (const InputKind as : {InputKind::unknown, InputKind::json}) {
        const auto refused = read_save(zipped, {.as = as, .max_text = 5000});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Errc::size_limit);
        EXPECT_TRUE(read_save(zipped, {.as = as}));
    }
    // Bytes that are no text are not counted.
    const Bytes packets = wrapped(packet(Variant(std::string(5000, 'x'))), "gzip");
    EXPECT_TRUE(read_save(packets, {.max_text = 50}));
    // Nor is a text that is no document, unless it is to be read.
    const Bytes words = wrapped(as_bytes(std::string(5000, 'x')), "gzip");
    EXPECT_EQ(stack(words, {.max_text = 50}), stack(words));
}

TEST(TextLimit, TheValuesOfATextInALayerAreCounted) {
    const auto repeated = [](std::string_view part, std::size_t count) {
        std::string out;
        for (std::size_t i = 0; i < count; ++i)
            out += part;
        return out;
    };
    const std::string texts[] = {
        repeated("\"\"\n", 1000), repeated("[]\n", 1000), "[" + repeated("1,", 999) + "1]",
        "[a]\n" + repeated("a=1\n", 1000), "{" + repeated("\"a\":[],", 499) + "\"a\":1}"};
    for (const std::string& text : texts) {
        SCOPED_TRACE(text.substr(0, 20));
        const Bytes zipped = wrapped(as_bytes(text), "gzip");
        const std::string whole = stack(zipped);
        EXPECT_TRUE(whole.starts_with("gzip > ") && whole != "gzip > foreign") << whole;
        EXPECT_EQ(stack(zipped, {.max_text = 7900}), "gzip > foreign");
        EXPECT_EQ(stack(zipped, {.max_text = 8200}), whole);
        // A file's own text has no such limit.
        EXPECT_EQ("gzip > " + stack(as_bytes(text), {.max_text = 7900}), whole);
        const auto refused = read_save(zipped, {.max_text = 7900});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Errc::size_limit);
        const auto as = read_save(zipped, {.as = InputKind::json_lines, .max_text = 7900});
        ASSERT_FALSE(as);
        EXPECT_TRUE(read_save(zipped, {.max_text = 8200}));
    }
}

}  // namespace
}  // namespace gdvar::test
