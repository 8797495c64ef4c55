import { openLiveImage } from '@coreiso/iso';
import { entityTag } from '@coreiso/iso/http';
import { planNodes } from '@coreiso/openshift';
import type { Action } from '../../frame/command.ts';
import { withBase } from '../../frame/source.ts';
import { serve as serveOffer } from '../serve/server.ts';
import { showAdvice } from './advice/shown-advice.ts';
import { readPlannedCluster } from './cluster.ts';
import { readConfigFile, showConfigFindings, withConfigLines } from './config-file.ts';
import { baseFacts, fitsBase, readConfig } from './image.ts';
import { planFiles } from './plan-files.ts';
import { planOptions, readStatusToken, warnWithoutStatusPort } from './plan-options.ts';

/** `coreiso nodes serve`: computes images while machines read them. */
export const serve: Action = async (args, terminal) => {
  const { signal } = terminal.io;
  const file = await readConfigFile(args, terminal);
  const planned = await readPlannedCluster(args, terminal);
  const config = await readConfig(file, planned.facts, args, terminal);
  if (config === undefined) return 1;
  showAdvice(config, planned.facts, file, terminal);
  return await withBase(terminal, args, baseFacts(config, planned.facts), async (base) => {
    const live = await openLiveImage(base, { signal });
    if (!(await fitsBase(config, live, file, planned.facts, args, terminal))) return 1;
    const plan = planNodes(config, {
      ...(await planOptions(args, terminal, planned)),
      statusToken: await readStatusToken(args, terminal, 'none'),
    });
    warnWithoutStatusPort(args, terminal, plan);
    showConfigFindings(terminal, file, withConfigLines(plan.diagnostics, config));
    await serveOffer(args, terminal, async (folderOf) => {
      // The tag reads the whole base; do it now, so that the first machine does not wait.
      await entityTag(base, signal);
      const { files, notes } = await planFiles(live, plan, {
        perHost: args.has('per-host'),
        grow: !args.has('no-grow'),
        folderOf,
        signal,
      });
      for (const note of notes) terminal.say(note);
      if (plan.expires !== undefined) {
        terminal.say(
          `The images stop installing after ${plan.expires}. Serve the same images later, or elsewhere, with --valid-until ${plan.expires}`,
        );
      }
      return { files, secret: files.map(({ name }) => name) };
    });
    return 0;
  });
};
