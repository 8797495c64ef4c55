#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const program = join(__dirname, '../dist/index.cjs');
if (!existsSync(program)) {
  console.error('coreiso is not built yet: run npm run build first');
  process.exit(1);
}
require(program).start();
