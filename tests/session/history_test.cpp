// Steps back and forth, within bounds; and which places they mark.
#include "session/history.hpp"

#include <gtest/gtest.h>

#include "support/generate.hpp"

namespace gdvar::test {
namespace {

using namespace session;

Step step(Ordinals where, int shift = 0, std::size_t bytes = 1) {
    Step out{.what = "x", .where = std::move(where), .shift = shift};
    out.after.resize(bytes);
    return out;
}
using At = std::vector<std::uint32_t>;

TEST(History, MarksWhatIsNotSaved) {
    History history;
    history.add(step({0, 2, 5}));
    EXPECT_TRUE(history.marks().has(At{0}));
    EXPECT_TRUE(history.marks().has(At{0, 2}));
    EXPECT_TRUE(history.marks().has(At{0, 2, 5}));
    EXPECT_FALSE(history.marks().has(At{0, 2, 5, 1}));
    EXPECT_FALSE(history.marks().has(At{0, 1}));
    history.add(step({0, 1}, 1));  // now the first one is at 3
    EXPECT_TRUE(history.marks().has(At{0, 1}));
    EXPECT_TRUE(history.marks().has(At{0, 3, 5}));
    EXPECT_FALSE(history.marks().has(At{0, 2}));
    history.saved();
    EXPECT_TRUE(history.marks().empty());
    EXPECT_FALSE(history.changed());
    history.undone();
    EXPECT_TRUE(history.changed());
    EXPECT_EQ(history.distance(), 1u);
    EXPECT_TRUE(history.marks().has(At{0})) << "something in it is not as it was saved";
    EXPECT_FALSE(history.marks().has(At{0, 2}));
    history.redone();
    EXPECT_FALSE(history.changed());
    history.add(step({0, 3}, -1));
    EXPECT_TRUE(history.marks().has(At{0}));
    EXPECT_FALSE(history.marks().has(At{0, 3}));
    history.undone();
    EXPECT_TRUE(history.marks().empty());
}

TEST(History, ForgetsTheOldest) {
    History history(3000, 100);
    for (std::uint32_t i = 0; i < 10; ++i)
        history.add(step({i}, 0, 1000));
    int undone = 0;
    for (; history.to_undo(); ++undone)
        history.undone();
    EXPECT_EQ(undone, 2);
    EXPECT_TRUE(history.dropped());
    EXPECT_TRUE(history.changed()) << "what was saved can't be reached";
    EXPECT_FALSE(history.distance());
    EXPECT_TRUE(history.marks().has(At{7})) << "dropped, and still not saved";
    EXPECT_FALSE(history.marks().has(At{8}));
    history.add(step({20}, 0, 100'000));
    EXPECT_TRUE(history.to_undo()) << "the newest one stays";
    EXPECT_FALSE(history.to_redo());
    history.undone();
    EXPECT_FALSE(history.to_undo());
}

TEST(History, AnotherWayFromAnUndoneStep) {
    History history;
    history.add(step({1}));
    history.saved();
    history.undone();
    history.add(step({2}));  // {1} can't be made again
    EXPECT_TRUE(history.changed());
    EXPECT_FALSE(history.distance());
    EXPECT_TRUE(history.marks().has(At{1}));
    EXPECT_TRUE(history.marks().has(At{2}));
    history.undone();
    EXPECT_TRUE(history.changed());
    EXPECT_TRUE(history.marks().has(At{1}));
    EXPECT_FALSE(history.marks().has(At{2}));
}

TEST(History, DifferencesGiveBothPackets) {
    Random random(3);
    for (int round = 0; round < 500; ++round) {
        const auto some = [&] {
            std::vector<std::byte> out(below(random, 12));
            for (std::byte& byte : out)
                byte = static_cast<std::byte>(below(random, 2));
            return out;
        };
        const auto before = some(), after = some();
        Step change;
        keep_difference(change, before, after);
        EXPECT_EQ(with_bytes(before, change, change.before, change.after), after);
        EXPECT_EQ(with_bytes(after, change, change.after, change.before), before);
    }
}

}  // namespace
}  // namespace gdvar::test
