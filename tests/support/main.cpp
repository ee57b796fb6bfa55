// The main of all test programs.
#include <gtest/gtest.h>

#include "support/children.hpp"

int main(int count, char** words) {
    if (const int status = gdvar::test::ChildWork::run(count, words); status >= 0)
        return status;
    testing::InitGoogleTest(&count, words);
    return RUN_ALL_TESTS();
}
