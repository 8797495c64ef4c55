import { type JobReport, time } from './programs.ts';

/** Runs a job `times` times and reports it on standard error. */
export async function reportOf(work: () => Promise<void>, times = 1): Promise<void> {
  const ms = (await time(work)) / times;
  const report: JobReport = { ms, maxRssMB: process.resourceUsage().maxRSS / 1024 };
  process.stderr.write(JSON.stringify(report));
}
