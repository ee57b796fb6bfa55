# The same data as bench/structs.hpp, for Cap'n Proto.
@0xd5f0c2b9b1a74e31;
using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("gdvar::bench::cp");
struct Vec3 { x @0 :Float32; y @1 :Float32; z @2 :Float32; }
struct Entity { id @0 :Int64; name @1 :Text; pos @2 :Vec3; vel @3 :Vec3; yaw @4 :Float64; hp @5 :Int32; maxHp @6 :Int32; state @7 :Text; alive @8 :Bool; target :union { none @9 :Void; id @10 :Int64; } }
struct Tick { entities @0 :List(Entity); }
struct ChatMessage { ts @0 :Int64; from @1 :Text; channel @2 :Text; text @3 :Text; }
struct Chat { messages @0 :List(ChatMessage); }
struct Small { union { move :group { seq @0 :Int64; to @1 :Vec3; speed @2 :Float64; } state :group { op @3 :Int32; seq @4 :Int64; dx @5 :Int32; jump @6 :Bool; } hit :group { whom @7 :Int64; damage @8 :Int32; } say :group { seq @9 :Int64; text @10 :Text; } } }
