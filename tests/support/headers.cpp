// Nothing of its own: what the tests include is compiled once, see kmap_precompile in
// KmapTest.cmake.
