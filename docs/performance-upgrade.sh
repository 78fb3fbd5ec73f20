#!/usr/bin/env bash
# Times `cargo xtask upgrade codex@VERSION` with the package at hand, and beside it two generators of
# Rust types on the schemas that the upgrade reads; and what generating everything takes. By hand, from the root of the repository:
#
#   docs/performance-upgrade.sh FOLDER [VERSION]
#
# FOLDER gets the package (by `npm pack`, once), a copy of the repository and all output. It needs npm,
# and on the PATH `quicktype` (npm install quicktype) and `cargo-typify` (cargo install cargo-typify).
set -euo pipefail
folder=${1:?a folder to work in}
version=${2:-0.171.0}
runs=${RUNS:-5}
root=$(pwd)
case "$(uname -sm)" in
    "Linux x86_64") platform=linux-x64 ;;
    "Linux aarch64") platform=linux-arm64 ;;
    "Darwin arm64") platform=darwin-arm64 ;;
    *) echo "name the platform of the package in this script" >&2; exit 2 ;;
esac
mkdir -p "$folder/bin" "$folder/out"
folder=$(cd "$folder" && pwd)
if [ -z "${XTASK:-}" ]; then
    cargo build --release --package agentwire-xtask
    XTASK=${CARGO_TARGET_DIR:-$root/target}/release/xtask
fi
xtask=$XTASK

# The client of the timed runs gives the package that is here, and states what npm stated of it: all of
# the upgrade is timed, integrity and unpacking too, but for the download.
cd "$folder"
[ -f report.json ] || npm pack --json --ignore-scripts "@openai/codex@$version-$platform" > report.json
package=$(ls "$folder"/*.tgz)
cat > bin/npm <<EOF
#!/bin/sh
ln -s "$package" . && cat "$folder/report.json"
EOF
chmod +x bin/npm

# The repository without that version, and the versions after it.
rm -rf before && mkdir -p before/contracts/src before/docs
cp -r "$root/schemas" before/
cp -r "$root/contracts/mapping" before/contracts/
cp -r "$root/contracts/src/canonical" "$root/contracts/src/projection" "$root/contracts/src/generated" before/contracts/src/
"$xtask" --root before upgrade codex --drop "$version" > out/drop.log 2>&1 || [ $? = 1 ]

# typify stops at two definitions of 0.171.0 with a panic; it gets the schemas without them.
for face in stable experimental; do
    node -e 'const fs = require("fs"), [from, to] = process.argv.slice(1);
        const schema = JSON.parse(fs.readFileSync(from));
        delete schema.definitions.ServerRequest;
        delete schema.definitions.McpServerElicitationRequestParams;
        fs.writeFileSync(to, JSON.stringify(schema))' \
        "$root/schemas/codex/$version/$face/schema.json" "out/typify-$face.json"
done

# The repository as it is, for the generator alone: without the program that describes the model.
rm -rf whole && mkdir -p whole/contracts/src whole/docs
cp -r "$root/schemas" whole/
cp -r "$root/contracts/mapping" whole/contracts/
cp -r "$root/contracts/src/canonical" "$root/contracts/src/projection" whole/contracts/src/

# The processor time and the wall time of the whole process with its children, one line a run.
TIMEFORMAT='%U %S %R'
once() { # NAME COMMAND…
    local name=$1 used
    shift
    used=$({ time { "$@" > "out/$name.log" 2>&1 || [ $? = 1 ]; }; } 2>&1) || {
        echo "$name failed, see $folder/out/$name.log" >&2
        exit 2
    }
    echo "$name $used" >> out/times
}
upgrade() { PATH="$folder/bin:$PATH" "$xtask" --root after upgrade "codex@$version"; }
vendored() { "$xtask" --root after upgrade "codex@$version"; }
with_quicktype() {
    for face in stable experimental; do
        quicktype --lang rust --src-lang schema --out "out/quicktype-$face.rs" \
            "$root/schemas/codex/$version/$face/schema.json#/definitions/"
    done
}
with_typify() {
    for face in stable experimental; do
        cargo-typify typify --output "out/typify-$face.rs" "out/typify-$face.json"
    done
}
regen() { rm -rf whole/contracts/src/generated && "$xtask" --root whole regen; }
rm -f out/times
for _ in $(seq "$runs"); do
    rm -rf after && cp -r before after
    once upgrade upgrade
    # The same without the package: its version is vendored, and the window lacks it.
    rm -rf after && cp -r before after
    mkdir -p "after/schemas/codex" && cp -r "$root/schemas/codex/$version" after/schemas/codex/
    cp "$root/schemas/sources.lock" after/schemas/sources.lock
    once vendored vendored
    once regen regen
    once quicktype with_quicktype
    once typify with_typify
done
spread() { # NAME FIELDS: the median of a sum of fields, the least and the most
    awk -v name="$1" "\$1 == name { print $2 }" out/times | sort -n |
        awk '{ all[NR] = $1 } END { printf "%.2f s (%.2f to %.2f)", all[int((NR + 1) / 2)], all[1], all[NR] }'
}
for name in upgrade vendored regen quicktype typify; do
    printf '%-10s processor time %s, wall time %s, %d runs\n' \
        "$name" "$(spread "$name" '$2 + $3')" "$(spread "$name" '$4')" "$runs"
done
