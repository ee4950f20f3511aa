#!/usr/bin/env python3
"""Makes the files of this folder that are not text: HDF5 that kmap cannot use, and what is no HDF5.

Run it with NumPy and h5py: `build/venv/bin/python tests/broken/data/make_data.py`. The files are
committed, so that the tests need neither; no times are stored, but another HDF5 may write others.
"""

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import h5py
import numpy as np

FOLDER = Path(__file__).resolve().parent


def good(file):
    """Datasets that fit each other, or do not."""
    file["x"] = np.arange(12.0).reshape(4, 3)
    file["signal"] = np.arange(20.0)
    file["i4"] = np.arange(5, dtype="i4")
    file["f4"] = np.arange(4, dtype="f4")
    file["complex"] = np.array([1 + 2j, 3 - 1j])
    file["bool"] = np.array([True, False])
    file["empty"] = np.zeros((0, 3))
    file["no_values"] = np.zeros((4, 0))
    file["weights_3"] = np.ones(3)
    file["weights_5"] = np.ones((4, 5))
    file["rows_6"] = np.ones((6, 3))
    file["four"] = np.ones((2, 4))
    file["cube"] = np.zeros((2, 3, 4))
    file["nan"] = np.array([1.0, np.nan, 3.0])
    file["big"] = np.array([1.0, 1e300, 3.0])
    file["columns"] = np.array([[1.0, 2.0], [3.0, 1e300]])
    file["negative"] = np.array([1, -2, 3], dtype="i8")
    file["temperature"] = np.zeros(3)
    file["run/pressure"] = np.zeros(3)
    file["run/deep/velocity"] = np.zeros(3)


def odd(file):
    """Objects that kmap cannot map over."""
    file["scalar"] = 1.5
    file["null"] = h5py.Empty("f8")
    file["text"] = np.array([b"abc", b"de"])
    file.create_dataset("text_vlen", data=["abc", "de"], dtype=h5py.string_dtype())
    file["records"] = np.array([(1, 2.0)], dtype=[("id", "i4"), ("weight", "f8")])
    file["many_members"] = np.zeros(1, dtype=[(name, "f4") for name in "abcdefgh"])
    file.create_dataset("colour", data=np.array([0, 1], dtype="i1"),
                        dtype=h5py.enum_dtype({"RED": 0, "GREEN": 1}, basetype="i1"))
    file.create_dataset("vlen", (2,), dtype=h5py.vlen_dtype("f8"))
    file.create_dataset("reference", (2,), dtype=h5py.ref_dtype)
    file.create_dataset("region", (2,), dtype=h5py.regionref_dtype)
    file["opaque"] = np.array([b"ab", b"cd"], dtype="V2")
    bits = h5py.h5t.STD_B8LE.copy()
    h5py.h5d.create(file.id, b"bits", bits, h5py.h5s.create_simple((2,)))
    array = h5py.h5t.array_create(h5py.h5t.NATIVE_DOUBLE, (3,))
    h5py.h5d.create(file.id, b"array", array, h5py.h5s.create_simple((2,)))
    file["quad"] = np.zeros(2, dtype=np.longdouble)
    file["complex_of_integers"] = np.zeros(2, dtype=[("r", "i4"), ("i", "i4")])
    file["type"] = np.dtype("f8")
    file.create_group("group")["inside"] = np.zeros(2)
    file["group/other"] = np.zeros(2)
    file.create_group("nothing")
    file["dangling"] = h5py.SoftLink("/no/where")
    file["loop"] = h5py.SoftLink("/loop")
    file["outside"] = h5py.ExternalLink("nowhere.h5", "/x")
    file["outside_dataset"] = h5py.ExternalLink("good.h5", "/no_such")
    file["good_link"] = h5py.SoftLink("/group/inside")
    file["good_outside"] = h5py.ExternalLink("good.h5", "/signal")
    layout = h5py.VirtualLayout(shape=(4,), dtype="f8")
    layout[:] = h5py.VirtualSource("nowhere.h5", "x", shape=(4,))
    file.create_virtual_dataset("virtual", layout)
    layout = h5py.VirtualLayout(shape=(4,), dtype="f8")
    layout[:] = h5py.VirtualSource("good.h5", "no_such", shape=(4,))
    file.create_virtual_dataset("virtual_dataset", layout)
    unknown_filter(file)
    # Sparse: no chunk is stored.
    file.create_dataset("huge", (1 << 60, 8), dtype="f8", chunks=(1 << 10, 8))
    file.create_dataset("large", (1 << 44, 8), dtype="f8", chunks=(1 << 10, 8))
    file.create_dataset("wide", (4, 1 << 30), dtype="f8", chunks=(1, 1 << 20))


def unknown_filter(file):
    """A dataset whose optional filter nobody has."""
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_chunk((4,))
    creation.set_filter(32013, h5py.h5z.FLAG_OPTIONAL, ())  # zfp, by the registered number
    h5py.h5d.create(file.id, b"zfp", h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((4,)), creation)
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_chunk((4,))
    creation.set_filter(400, h5py.h5z.FLAG_OPTIONAL, ())  # of the range for one's own tests
    h5py.h5d.create(file.id, b"own_filter", h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((4,)),
                    creation)


def hdf5(name, fill):
    with h5py.File(FOLDER / name, "w", libver=("earliest", "v110")) as file:
        fill(file)


def corrupt_chunks(file):
    """Chunks with wrong bytes in them: one that is no gzip, one whose checksum differs."""
    values = np.arange(64.0).reshape(8, 8)
    gzipped = file.create_dataset("gzip", data=values, chunks=(4, 8), compression="gzip")
    gzipped.id.write_direct_chunk((4, 0), b"no gzip at all")
    checked = file.create_dataset("checksum", data=values, chunks=(4, 8), fletcher32=True)
    _, chunk = checked.id.read_direct_chunk((4, 0))
    checked.id.write_direct_chunk((4, 0), b"\1" + chunk[1:])


def write(name, content):
    (FOLDER / name).write_bytes(content)


def flip(name, content, at):
    write(name, content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1:])


def tiny_png():
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\0"))
            + chunk(b"IEND", b""))


def archive_bytes():
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr(zipfile.ZipInfo("x.npy"), b"x")
    with tarfile.open(fileobj=tarred, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        archive.addfile(tarfile.TarInfo("x.h5"), io.BytesIO(b""))
    return zipped.getvalue(), tarred.getvalue()[:1024]


def not_hdf5():
    array = io.BytesIO()
    np.save(array, np.zeros(2))
    zipped, tarred = archive_bytes()
    for name, content in {
            "empty.h5": b"",
            "text.h5": b"time,x\n0,1\n1,2\n",
            "html.h5": b"<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n",
            "netcdf3.nc": b"CDF\x01" + bytes(28),
            "netcdf3_64bit.nc": b"CDF\x02" + bytes(28),
            "lfs.h5": b"version https://git-lfs.github.com/spec/v1\n"
                      b"oid sha256:" + b"0" * 64 + b"\nsize 123456\n",
            "annex.h5": b"/annex/objects/SHA256E-s5--0.h5\n",
            "gzip.h5": gzip.compress(b"x", mtime=0),
            "bzip2.h5": b"BZh91AY&SY",
            "zip.npz": zipped,
            "tar.tar": tarred,
            "npy.npy": array.getvalue(),
            "png.png": tiny_png(),
            "fits.fits": b"SIMPLE  =                    T".ljust(80),
            "mat5.mat": b"MATLAB 5.0 MAT-file".ljust(128),
            "zeros.h5": bytes(4096),
            "unknown.bin": bytes(range(1, 9)) * 8,
    }.items():
        write(name, content)


def main():
    hdf5("good.h5", good)
    hdf5("odd.h5", odd)
    hdf5("corrupt.h5", corrupt_chunks)
    whole = io.BytesIO()
    with h5py.File(whole, "w") as file:
        file["x"] = np.arange(200.0)
    content = whole.getvalue()
    write("truncated.h5", content[:-800])
    write("signature_only.h5", content[:8])
    flip("wrong_version.h5", content, 8)
    at = content.index(b"TREE")
    flip("wrong_tree.h5", content, at)
    left_open = FOLDER / "left_open.h5"
    with h5py.File(left_open, "w", libver=("v110", "v110")) as file:
        file["x"] = np.arange(4.0)
        file.flush()
        file.swmr_mode = True
        file.flush()
        as_writing = left_open.read_bytes()
    write("left_open.h5", as_writing)
    not_hdf5()


if __name__ == "__main__":
    main()
