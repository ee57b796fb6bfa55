// A View that leads nowhere: no value, no bytes, and the first failed step as its error.
#include <gtest/gtest.h>

#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar::test {
namespace {

Document document_of(const Variant& value) {
    return Document::parse(encode(value).value()).value();
}
const Variant nested =
    Dictionary{{"id", 1}, {"list", Array{10, 20, 30}}, {"far", Array{Array{1}, 2}}, {7, "seven"}};

/// Every member of a View that holds nothing.
void expect_nothing(const View& view) {
    EXPECT_FALSE(view);
    EXPECT_EQ(view.type(), Type::nil);
    EXPECT_FALSE(view.is_nil());
    EXPECT_FALSE(view.wide());
    EXPECT_TRUE(view.raw().empty());
    EXPECT_EQ(view.size(), 0u);
    EXPECT_EQ(view.options().dialect, &dialects::godot_4_4);
    EXPECT_FALSE(view.boolean());
    EXPECT_EQ(view.integer(), 0);
    EXPECT_EQ(view.real(), 0);
    EXPECT_EQ(view.text(), "");
    EXPECT_EQ(view.math().components(), 0u);
    EXPECT_EQ(view.math().as<Vector4>(), Vector4{});
    EXPECT_EQ(view.packed().count, 0u);
    EXPECT_EQ(to_string(view.node_path()), "");
    EXPECT_EQ(view.rid(), 0u);
    EXPECT_EQ(view.object_kind(), ObjectKind::null);
    EXPECT_EQ(view.object_id(), 0u);
    EXPECT_EQ(view.class_name(), "");
    EXPECT_EQ(view.signal_name(), "");
    EXPECT_EQ(view.signal_object(), 0u);
    EXPECT_EQ(view.image().data.size(), 0u);
    EXPECT_EQ(view.input_event().type, 0u);
    EXPECT_FALSE(view.element_type().typed());
    EXPECT_FALSE(view.key_type().typed());
    EXPECT_FALSE(view.value_type().typed());
    for (const auto all = view.elements(); const View& item : all)
        ADD_FAILURE() << item.offset();
    for (const auto all = view.pairs(); const View::Pair& item : all)
        ADD_FAILURE() << item.key.offset();
    for (const auto all = view.properties(); const View::Property& item : all)
        ADD_FAILURE() << item.name;
    for (const auto all = view.strings(); const std::string_view item : all)
        ADD_FAILURE() << item;
    EXPECT_FALSE(view["further"]);
    EXPECT_FALSE(view[0]);
    EXPECT_EQ(view["further"], view);
    EXPECT_FALSE(view.drive(NullSink{}));
    EXPECT_FALSE(view.get<int>());
    EXPECT_FALSE(view.get<View>());
    EXPECT_FALSE(view.get<Variant>());
    EXPECT_EQ(view.get_or(5), 5);
}

TEST(LostView, HoldsNothing) {
    expect_nothing(View());
    const Document document = document_of(nested);
    for (const View& lost : {document["child"], document["id"]["deeper"], document["list"][3],
                             document["list"][-1], document["list"]["x"], document[8]})
        expect_nothing(lost);
    const Document empty;
    expect_nothing(empty.root());
}

TEST(LostView, IsNoWayToItsParent) {
    const Document document = document_of(Dictionary{{"id", 1}});
    EXPECT_TRUE(document.root().drive(NullSink{}));
    const View lost = document["child"];
    EXPECT_EQ(lost.drive(NullSink{}).error(), lost.error());
    EXPECT_EQ(lost.get<Variant>().error(), lost.error());
    EXPECT_FALSE(decode(lost.raw()));
}

TEST(LostView, SaysWhichStepFailed) {
    const Document document = document_of(nested);
    const auto says = [](const View& lost) { return to_string(lost.error()); };
    EXPECT_EQ(says(document["child"]["of"][3]), R"(error[missing_key]: no key "child")");
    EXPECT_EQ(says(document[8]["x"]), "error[missing_key]: no key 8");
    EXPECT_EQ(says(document["list"][12]), "error[index_out_of_range]: no element 12: there are 3");
    EXPECT_EQ(says(document["list"][-1]), "error[index_out_of_range]: no element -1: there are 3");
    EXPECT_EQ(
        says(document["id"]["deeper"]),
        R"(error[wrong_type]: expected an Object or a Dictionary for "deeper", found an int)");
    EXPECT_EQ(says(document["id"][3]),
              "error[wrong_type]: expected a Dictionary or an Array, found an int");
    EXPECT_EQ(document["id"]["deeper"].error().type, Type::integer);
    EXPECT_EQ(document["id"]["deeper"].error().offset, document["id"].offset());
    EXPECT_EQ(document["far"][2]["x"].get<int>().error().offset, document["far"].offset());
    EXPECT_EQ(View().error().code, Errc::missing_key);
    EXPECT_EQ(to_string(View().get<int>().error()),
              "error[missing_key]: a View that no Document gave leads nowhere");
}

TEST(LostView, KeepsTheKeyThatItWasGiven) {
    const Document document = document_of(nested);
    const auto lost = [&](std::string key) {
        View view = document[key];
        key.assign(key.size(), '#');  // the View does not borrow it
        return view;
    };
    EXPECT_EQ(lost("").error().about_text(), "");
    EXPECT_EQ(lost("").error().about, ErrorAbout::key);
    EXPECT_EQ(lost("a key of 24 bytes, sure!").error().about_text(), "a key of 24 bytes, sure!");
    EXPECT_FALSE(lost("a key of 24 bytes, sure!").error().text_is_cut);
    EXPECT_EQ(lost("a key of more than 24 bytes").error().about_text(), "a key of more than 24 by");
    EXPECT_TRUE(lost("a key of more than 24 bytes").error().text_is_cut);
}

TEST(LostView, OneThatIsThereIsNotLost) {
    const Document document = document_of(nested);
    for (const View& there : {document["id"], document["list"], document["far"][0], document[7]}) {
        EXPECT_TRUE(there);
        EXPECT_EQ(there.error().code, Errc::ok);
        EXPECT_TRUE(there.drive(NullSink{}));
        EXPECT_FALSE(there.raw().empty());
    }
}

}  // namespace
}  // namespace gdvar::test
