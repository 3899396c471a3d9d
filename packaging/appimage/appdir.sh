#!/usr/bin/env bash
# Makes an AppDir of the archive in build/packages. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

usage() {
    cat <<EOF
Usage: packaging/appimage/appdir.sh

Unpacks the archive that packaging/package.sh tar made into build/packages/Attnscope.AppDir, checks its desktop entry and
AppStream description where desktop-file-validate and appstreamcli are installed, and makes an AppImage of it where
appimagetool is. An AppImage called attnscope-cli, or linked to by that name, is the command line.
EOF
}

case "${1:-}" in
    "") ;;
    -h | --help) usage && exit 0 ;;
    *) die "appdir.sh does not know $1; packaging/appimage/appdir.sh --help explains it." ;;
esac
ARCHIVE=("$SOURCE_DIR"/build/packages/attnscope-*-linux-x86_64.tar.zst)
APPDIR=$SOURCE_DIR/build/packages/Attnscope.AppDir
[ -e "${ARCHIVE[0]}" ] || die "There is no archive in build/packages: run packaging/package.sh tar first."
rm -rf "$APPDIR"
mkdir -p "$APPDIR/usr"
tar -C "$APPDIR/usr" --strip-components=1 -xf "${ARCHIVE[0]}"
cp "$APPDIR/usr/share/applications/attnscope.desktop" "$APPDIR/"
cp "$APPDIR/usr/share/icons/hicolor/256x256/apps/attnscope.png" "$APPDIR/"
ln -s attnscope.png "$APPDIR/.DirIcon"
cat >"$APPDIR/AppRun" <<'EOF'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
case $(basename "${ARGV0:-$0}") in
    attnscope-cli*) exec "$here/usr/bin/attnscope-cli" "$@" ;;
    *) exec "$here/usr/bin/attnscope" "$@" ;;
esac
EOF
chmod +x "$APPDIR/AppRun"
"$APPDIR/AppRun" --version >/dev/null || die "The program in the AppDir does not start."
! have desktop-file-validate || desktop-file-validate "$APPDIR/attnscope.desktop" || die "The desktop entry is not valid."
! have appstreamcli || appstreamcli validate --no-net "$APPDIR"/usr/share/metainfo/*.xml >&2 || die "The AppStream description is not valid."
say "Made $APPDIR"
if have appimagetool; then
    (cd "$SOURCE_DIR/build/packages" && ARCH=x86_64 appimagetool "$APPDIR" >&2) || die "appimagetool failed."
else
    say "No AppImage was made of it: appimagetool is not installed."
fi
