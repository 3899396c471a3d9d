#pragma once

namespace attnscope {

/// How long OpenMP's threads look for new work before they sleep. Long, as by default, a pass takes 10 times as long as soon as other
/// processes want the cores; not at all, and a hundred wake-ups cost a small network 40 % when nothing else runs. About 10 µs loses
/// little either way. libgomp reads it once, while it is loaded, before `main`: brief_waiting.cpp sets it then. Where it was not
/// asked, because another libgomp reads the environment in another way, the program starts itself again with the variable set, which
/// takes another third of a second. A policy that the user set is left alone. Call first thing in `main`.
void waitBriefly(char** arguments);

}
