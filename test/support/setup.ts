// Runs before every test file. Files share a process, which runs this and its imports again for each.
import { afterAll } from 'vitest';
import { removeScratchOfFile } from './scratch.ts';
import { expectNoWarnings } from './warnings.ts';
import './equal-bytes.ts';
import './seed.ts';

afterAll(removeScratchOfFile);
afterAll(expectNoWarnings);
