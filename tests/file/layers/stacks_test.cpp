// The stacks that games write, as three engines wrote them: each is recognised, read, changed and
// written back.
#include <gtest/gtest.h>

#include "support/case_name.hpp"
#include "support/stacks.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

std::string words_of(const SaveFile& save) {
    return stack_in_words(save.layers(), save.kind().seen_as, &save.dialect());
}

std::vector<Bytes> packets_of(const SaveFile& save) {
    std::vector<Bytes> out;
    for (const SaveItem& item : save.items())
        out.emplace_back(item.packet.begin(), item.packet.end());
    return out;
}

class Stacks : public TempFolder, public testing::WithParamInterface<StackEngine> {
protected:
    void SetUp() override {
        TempFolder::SetUp();
        saves = stack_saves(GetParam());
    }
    std::map<std::string, Bytes> saves;

    std::string written(const StackRow& row) const { return put(row.file(), saves.at(row.name)); }
};

TEST_P(Stacks, AreRecognisedAndRead) {
    const auto rows = stack_rows(GetParam());
    EXPECT_EQ(rows.size(), saves.size());
    for (const StackRow& row : rows) {
        auto save = read_save(saves.at(row.name), row.options());
        ASSERT_TRUE(save) << row.name << ": " << to_string(save.error());
        EXPECT_EQ(words_of(*save), row.stack) << row.name;
        EXPECT_EQ(save->get(row.path).value_or(Variant("nothing")), row.before()) << row.name;
    }
}

TEST_P(Stacks, StayByteForByteWithoutAChange) {
    for (const StackRow& row : stack_rows(GetParam())) {
        const std::string path = written(row);
        auto save = open_save(path, row.options());
        ASSERT_TRUE(save) << row.name << ": " << to_string(save.error());
        if (row.to) {
            EXPECT_TRUE(save->set(row.path, row.before())) << row.name;
        }
        EXPECT_FALSE(save->changed()) << row.name;
        EXPECT_TRUE(save->save()) << row.name;
        EXPECT_EQ(read_bytes(path), saves.at(row.name)) << row.name;
    }
}

TEST_P(Stacks, AreChangedInTheirPlace) {
    for (const StackRow& row : stack_rows(GetParam())) {
        const std::string path = written(row);
        std::vector<Bytes> before;
        {
            auto save = open_save(path, row.options());
            ASSERT_TRUE(save) << row.name << ": " << to_string(save.error());
            before = packets_of(*save);
            const auto set = save->set(row.path, row.to.value_or(8));
            if (!row.to) {
                const auto saved = set ? save->save() : std::unexpected(FileError(set.error()));
                EXPECT_FALSE(saved) << row.name << " is only read";
                EXPECT_EQ(read_bytes(path), saves.at(row.name)) << row.name;
                continue;
            }
            ASSERT_TRUE(set) << row.name << ": " << to_string(set.error());
            const auto saved = save->save();
            ASSERT_TRUE(saved) << row.name << ": " << to_string(saved.error());
        }
        auto save = open_save(path, row.options());
        ASSERT_TRUE(save) << row.name << ": " << to_string(save.error());
        EXPECT_EQ(words_of(*save), row.stack) << row.name;
        EXPECT_EQ(save->get(row.path).value_or(Variant("nothing")), *row.to) << row.name;
        EXPECT_NE(packets_of(*save), before) << row.name;
        // With the old value again, all values are the old ones.
        ASSERT_TRUE(save->set(row.path, row.before())) << row.name;
        ASSERT_TRUE(save->save()) << row.name;
        const auto again = open_save(path, row.options());
        ASSERT_TRUE(again) << row.name;
        EXPECT_EQ(packets_of(*again), before) << row.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, Stacks, testing::ValuesIn(stack_engines), case_name);

}  // namespace
}  // namespace gdvar::test
