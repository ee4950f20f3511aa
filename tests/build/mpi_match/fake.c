/* Enough of an MPI for a library to need it. */
int fake_mpi_call(void);

#ifdef FAKE_MPI
int fake_mpi_call(void) { return 0; }
#else
int fake_hdf5_call(void);
int fake_hdf5_call(void) { return fake_mpi_call(); }
#endif
