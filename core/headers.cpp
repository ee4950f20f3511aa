// What kmap_headers compiles besides its precompiled headers: nothing.
