# What becomes of the loops over examples of the kernels of apps/, each with its functions and types: `vectors`, `packs`, or the reason
# why neither is there.
set(expected
    "square: Square c16 c8 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8: vectors"
    "lorenz: Lorenz f4 f8: packs"
    "heavy_task: HeavyTask f4 f8: vectors"
    "tutorial: Throw f4,f4->f4,f4 f8,f8->f8,f8: vectors"
    # As many paths and steps as the parameters say.
    "option_price: OptionPrice f8,f8,f8,f8,f8,i4->f8,f8: there is a loop in the function"
    # Rows and columns of any length.
    "matmul: Matmul c16,c16->c16 c8,c8->c8 f4,f4->f4 f8,f8->f8 i1,i1->i1 i2,i2->i2 i4,i4->i4 i8,i8->i8: there is a loop in the function"
    "matmul: Matmul u1,u1->u1 u2,u2->u2 u4,u4->u4 u8,u8->u8: there is a loop in the function"
    "center: Center f4 f8: it takes a context"
    "standardize: Standardize f4 f8: it takes a context"
    "k_means: KMeans f4,f4->i4,f4 f8,f8->i4,f8: it takes a context"
    "life: Life u1: it takes a context"
    "monte_carlo_pi: MonteCarloPi ->f8,f8: it takes a context"
    "tutorial: Share f4->f4,f4 f8->f8,f8: it takes a context")
# These are given teams or blocks.
set(without_loop bootstrap heat moments periodogram)
