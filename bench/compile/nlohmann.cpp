// The same ten structs by nlohmann json.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

struct S0 {
    std::string name_0{};
    int level_0{};
    double ratio_0{};
    bool alive_0{};
    std::vector<int> items_0{};
    std::vector<std::string> tags_0{};
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S0, name_0, level_0, ratio_0, alive_0, items_0, tags_0)
struct S1 {
    std::string name_1{};
    int level_1{};
    double ratio_1{};
    bool alive_1{};
    std::vector<int> items_1{};
    std::vector<std::string> tags_1{};
    std::vector<S0> inner_1;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S1, name_1, level_1, ratio_1, alive_1, items_1, tags_1, inner_1)
struct S2 {
    std::string name_2{};
    int level_2{};
    double ratio_2{};
    bool alive_2{};
    std::vector<int> items_2{};
    std::vector<std::string> tags_2{};
    std::vector<S1> inner_2;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S2, name_2, level_2, ratio_2, alive_2, items_2, tags_2, inner_2)
struct S3 {
    std::string name_3{};
    int level_3{};
    double ratio_3{};
    bool alive_3{};
    std::vector<int> items_3{};
    std::vector<std::string> tags_3{};
    std::vector<S2> inner_3;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S3, name_3, level_3, ratio_3, alive_3, items_3, tags_3, inner_3)
struct S4 {
    std::string name_4{};
    int level_4{};
    double ratio_4{};
    bool alive_4{};
    std::vector<int> items_4{};
    std::vector<std::string> tags_4{};
    std::vector<S3> inner_4;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S4, name_4, level_4, ratio_4, alive_4, items_4, tags_4, inner_4)
struct S5 {
    std::string name_5{};
    int level_5{};
    double ratio_5{};
    bool alive_5{};
    std::vector<int> items_5{};
    std::vector<std::string> tags_5{};
    std::vector<S4> inner_5;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S5, name_5, level_5, ratio_5, alive_5, items_5, tags_5, inner_5)
struct S6 {
    std::string name_6{};
    int level_6{};
    double ratio_6{};
    bool alive_6{};
    std::vector<int> items_6{};
    std::vector<std::string> tags_6{};
    std::vector<S5> inner_6;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S6, name_6, level_6, ratio_6, alive_6, items_6, tags_6, inner_6)
struct S7 {
    std::string name_7{};
    int level_7{};
    double ratio_7{};
    bool alive_7{};
    std::vector<int> items_7{};
    std::vector<std::string> tags_7{};
    std::vector<S6> inner_7;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S7, name_7, level_7, ratio_7, alive_7, items_7, tags_7, inner_7)
struct S8 {
    std::string name_8{};
    int level_8{};
    double ratio_8{};
    bool alive_8{};
    std::vector<int> items_8{};
    std::vector<std::string> tags_8{};
    std::vector<S7> inner_8;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S8, name_8, level_8, ratio_8, alive_8, items_8, tags_8, inner_8)
struct S9 {
    std::string name_9{};
    int level_9{};
    double ratio_9{};
    bool alive_9{};
    std::vector<int> items_9{};
    std::vector<std::string> tags_9{};
    std::vector<S8> inner_9;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S9, name_9, level_9, ratio_9, alive_9, items_9, tags_9, inner_9)

std::vector<std::uint8_t> there_and_back(S9& value, const std::vector<std::uint8_t>& from) {
    value = nlohmann::json::from_cbor(from).get<S9>();
    return nlohmann::json::to_cbor(nlohmann::json(value));
}
