// Before every test file. Files share a process, which runs this again and again and what it imports once.
import './equal-bytes.ts';
import './seed.ts';
