#!/usr/bin/env bash
# Brings resources/translations up to date with the texts of the sources: new ones are added, unfinished; those that are gone are removed.
#
#     packaging/translate.sh [LANGUAGE...]
#
# A new language begins with its code, for example: packaging/translate.sh fr

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case "${1:-}" in
    -h | --help) sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$SOURCE_DIR"
LUPDATE=$(PATH=/usr/lib/qt6/bin:$PATH command -v lupdate-qt6 || PATH=/usr/lib/qt6/bin:$PATH command -v lupdate) || die "lupdate is not installed; it is in the package qt6-l10n-tools."
FILES=()
for language in "$@"; do FILES+=("resources/translations/attnscope_$language.ts"); done
[ ${#FILES[@]} -gt 0 ] || FILES=(resources/translations/*.ts)
# Without lines of the sources, so that a translation changes only where a text does.
# Texts that core tells and the window translates are marked there (core/figure/table.h).
"$LUPDATE" core models ui app/attnscope -tr-function-alias QT_TR_NOOP+=ATTN_TEXT,QT_TR_NOOP+=ATTN_HELP,QT_TR_N_NOOP+=ATTN_COUNT -I . -extensions cpp,h -source-language en -locations none -no-obsolete -silent -ts "${FILES[@]}" ||
    die "lupdate failed; its last lines are above."
for file in "${FILES[@]}"; do
    echo "$file: $(grep -c '<message' "$file") texts, $(grep -c 'type="unfinished"' "$file" || true) unfinished"
done
