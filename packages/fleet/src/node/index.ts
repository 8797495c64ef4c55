export { type DirectorySinkOptions, directorySink } from './directory-sink.ts';
