// Questions of views to the planner: functions of the state and an argument, which run in the worker. Answers are plain data.
import { readHost, writeHost } from '../../views/host-form/host-text.ts';
import type { PlannerState } from '../state.ts';
import { hostCards } from './hosts.ts';
import { template } from './template.ts';
import { view } from './view.ts';

export const QUESTIONS = {
  view,
  hostCards,
  template,
  readHost: (_: PlannerState, host: Parameters<typeof readHost>[0]) => readHost(host),
  writeHost: (_: PlannerState, host: Parameters<typeof writeHost>[0]) => writeHost(host),
};

export type Questions = typeof QUESTIONS;
