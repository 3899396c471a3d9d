#!/usr/bin/env bash
# From a checkout to a Python wheel. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<EOF
Usage: packaging/wheel.sh [--check]

Builds build/packages/attnscope-VERSION-py3-none-PLATFORM.whl, for every Python from 3.10 on beside torch $LIBTORCH_VERSION: the operators of PyTorch, the
modules around them, and attnscope-cli as the engine's build, which takes tensors and no pictures. On GPUs with a torch that has CUDA; by our own kernels where
this machine has a GPU and nvcc, or with ATTNSCOPE_CUDA=1.

  --check   install it with torch, timm, transformers and pytest into an empty environment (3 GB to download) and run tests/python there
Environment: ATTNSCOPE_CUDA, ATTNSCOPE_LIBTORCH, ATTNSCOPE_CACHE as for packaging/run.sh.
EOF
}

CHECK=no
case "${1:-}" in
    "") ;;
    --check) CHECK=yes ;;
    -h | --help) usage && exit 0 ;;
    *) die "wheel.sh does not know $1; packaging/wheel.sh --help explains it." ;;
esac

install_packages "${BUILD_PACKAGES[@]}" python3-venv patchelf
ensure_libtorch
cd "$SOURCE_DIR"
# Results stores by a SQLite inside: the wheel needs no library but torch's.
cmake --preset wheel -DSQLite3_LIBRARY="$(cc -print-file-name=libsqlite3.a)" >/dev/null || die "CMake could not configure build/wheel; the reason is shown above."
build_preset wheel attnscope_operators attnscope-commands attnscope-torchscript
cd "$SOURCE_DIR"
STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
cmake --install build/wheel --prefix "$STAGE" --component python --strip >/dev/null || die "cmake --install of the component python failed."
mkdir -p "$STAGE/attnscope/bin" "$STAGE/attnscope/licenses"
install -s build/wheel/app/libexec/attnscope/attnscope-{commands,torchscript.so} "$STAGE/attnscope/bin"
patchelf --remove-rpath "$STAGE"/attnscope/bin/*
cp LICENSE NOTICE LICENSES/* "$STAGE/attnscope/licenses"
cp app/python/pyproject.toml "$STAGE"
echo "torch==${LIBTORCH_VERSION%.*}.*" >"$STAGE/requirements.txt"
# The oldest C library whose symbols are used names the platform.
GLIBC=$(objdump -T "$STAGE/attnscope/_library.so" "$STAGE/attnscope/bin/attnscope-commands" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1)
PLATFORM=manylinux_$(tr . _ <<<"${GLIBC#GLIBC_}")_$(uname -m)

say "Making the wheel"
ENVIRONMENT=$(cache_dir)/wheel-tools
[ -x "$ENVIRONMENT/bin/python" ] || python3 -m venv "$ENVIRONMENT"
"$ENVIRONMENT/bin/pip" install --quiet --disable-pip-version-check 'setuptools>=77' wheel
"$ENVIRONMENT/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$STAGE/wheels" "$STAGE"
mkdir -p build/packages
rm -f build/packages/attnscope-*.whl
"$ENVIRONMENT/bin/python" -m wheel tags --platform-tag "$PLATFORM" --remove "$STAGE"/wheels/*.whl >/dev/null
mv "$STAGE"/wheels/*.whl build/packages
ls -l --block-size=K build/packages/*.whl | awk '{ print $NF, $5 }'
[ $CHECK = yes ] || exit 0

say "Checking the wheel in an empty environment"
python3 -m venv "$STAGE/environment"
"$STAGE/environment/bin/pip" install --quiet --disable-pip-version-check "$(echo build/packages/attnscope-*.whl)[test]" || die "pip could not install the wheel; its last lines are above."
cp -r tests/python "$STAGE/tests"
cd "$STAGE"
exec env PATH="$STAGE/environment/bin:$PATH" python -m pytest -q tests
