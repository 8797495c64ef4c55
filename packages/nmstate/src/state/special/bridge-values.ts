import { readBooleanWord } from '../read-boolean.ts';
import type { Section, SpecialType } from '../table.ts';

const MULTICAST_ROUTER = ['disabled', 'auto', 'enabled'] as const;
const MULTICAST_ROUTER_WORDS = '0|1|2 or auto|disabled|enabled';

/** By number or by name, but not by a number in quotes. */
export const multicastRouter: SpecialType = {
  kind: 'special',
  typescript: "'disabled' | 'auto' | 'enabled'",
  schema: {
    anyOf: [
      { enum: [0, 1, 2] },
      { type: 'string', pattern: '^([aA][uU][tT][oO]|[dD][iI][sS][aA][bB][lL][eE][dD]|[eE][nN][aA][bB][lL][eE][dD])$' },
    ],
  },
  read(node, reader) {
    const value = reader.scalar(node);
    if (typeof value !== 'string' && (typeof value !== 'bigint' || value < 0n)) {
      return reader.wrongType(node, 'disabled, auto or enabled', `integer 0|1|2 or string auto|disabled|enabled`);
    }
    const chosen =
      typeof value === 'bigint'
        ? MULTICAST_ROUTER[Number(value)]
        : MULTICAST_ROUTER.find((word) => word === value.toLowerCase());
    if (chosen !== undefined) return chosen;
    const upstream = `InvalidArgument: Invalid linux bridge multicast_router type ${value}, expecting ${MULTICAST_ROUTER_WORDS}`;
    return reader.refuse(node, 'unknown-value', `\`${value}\` is not one of disabled, auto, enabled`, upstream);
  },
};

const STP_OPTIONS_KEYS = {
  type: 'object',
  properties: { enabled: { type: ['boolean', 'integer', 'string'] } },
} as const;

/** A boolean, a map, or a text, all of which mean true: `stp: no` and `stp: "false"` turn the protocol on. */
export function ovsStp(options: Section): SpecialType {
  return {
    kind: 'special',
    typescript: `boolean | ${options.name}`,
    schema: { anyOf: [{ type: 'boolean' }, { type: 'string' }, STP_OPTIONS_KEYS] },
    read(node, reader) {
      if (node.kind === 'mapping') return reader.section(options, node);
      const value = reader.scalar(node);
      if (typeof value === 'boolean') return value;
      if (typeof value === 'string') {
        const meant = readBooleanWord(value, node, reader);
        if (meant === false)
          reader.note(
            'error',
            node,
            'inverted-value',
            `nmstate takes \`stp: ${value}\` for true`,
            'Write `false`, without quotes.',
          );
        return meant === undefined ? undefined : true;
      }
      const upstream = 'Need to be boolean or map like {enabled: true}';
      return reader.refuse(node, 'wrong-type', 'true, false or a map with `enabled` is needed here', upstream);
    },
  };
}
