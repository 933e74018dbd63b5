#!/bin/sh
# Installs Kurabe from this checkout into an empty folder: only what runs, without engines and without development.
#   sh infra/container/install.sh FOLDER [NODE_MODULES]
# With NODE_MODULES, packages that are installed already, nothing is fetched: for hosts without a network.
set -eu
target=${1:?name the folder to install into}
modules=${2:-}
if [ -n "$(ls -A "$target" 2>/dev/null)" ]; then
  echo "$target is not empty: install into another folder, stop Kurabe, and exchange them" >&2
  exit 1
fi
cd "$(dirname "$0")/../.."
mkdir -p "$target/infra"
cp -R .npmrc LICENSE drizzle package.json package-lock.json src tsconfig.json tsconfig.build.json tsconfig.client.json "$target"
cp -R infra/patches infra/container "$target/infra"
if [ -n "$modules" ]; then
  # Links where the file system can, copies elsewhere; npm writes into its list of what is installed.
  mkdir "$target/node_modules"
  cp -al "$modules/." "$target/node_modules" 2>/dev/null || cp -a "$modules/." "$target/node_modules"
  cp --remove-destination "$modules/.package-lock.json" "$target/node_modules"
fi
cd "$target"
if [ -n "$modules" ]; then npm run build; else npm ci --omit=optional; fi
npm prune --omit=dev --omit=optional --ignore-scripts --offline
rm -rf src tsconfig.json tsconfig.build.json tsconfig.client.json
