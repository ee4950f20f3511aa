// What kmap_precompiled compiles besides its precompiled headers: nothing.
