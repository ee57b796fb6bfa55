// Steps back and forth, within bounds; and which places they mark.
#include "session/history.hpp"

#include <gtest/gtest.h>

namespace gdvar::test {
namespace {

using namespace session;

Step step(Ordinals where, int shift = 0) {
    return {.what = "x", .where = std::move(where), .shift = shift};
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
    History history(2);
    for (std::uint32_t i = 0; i < 10; ++i)
        history.add(step({i}));
    int undone = 0;
    for (; history.to_undo(); ++undone)
        history.undone();
    EXPECT_EQ(undone, 2);
    EXPECT_TRUE(history.dropped());
    EXPECT_TRUE(history.changed()) << "what was saved can't be reached";
    EXPECT_FALSE(history.distance());
    EXPECT_TRUE(history.marks().has(At{7})) << "dropped, and still not saved";
    EXPECT_FALSE(history.marks().has(At{8}));
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

}  // namespace
}  // namespace gdvar::test
