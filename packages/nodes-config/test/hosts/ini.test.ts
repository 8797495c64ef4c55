import { keyfileOf } from '@coreiso/nmstate';
import { readIni, writtenIni } from '@coreiso/peers/go';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { profileOf } from '../../../../test/support/profiles.ts';
import { withPriority } from '../../src/hosts/file-tree.ts';
import { throughIni } from '../../src/rules/through-ini.ts';

function textOf(sections: Parameters<typeof writtenIni>[0]): string {
  return keyfileOf({ name: '', sections: writtenIni(sections) }).content;
}

function roundTrip(text: string): string {
  const reading = readIni(text);
  return reading.ok ? textOf(reading.sections) : reading.message;
}

describe('post-processing', () => {
  test('turns on autoconnect, with a higher priority', () => {
    const content = '[connection]\nautoconnect=false\nid=eth0\n\n[ipv4]\nmethod=auto\n';
    expect(keyfileOf(withPriority(profileOf(content))).content).toBe(
      '[connection]\nautoconnect=true\nid=eth0\nautoconnect-priority=1\n\n[ipv4]\nmethod=auto\n',
    );
  });

  test('a profile without a connection gets one', () => {
    expect(keyfileOf(withPriority(profileOf('[ipv4]\nmethod=auto\n'))).content).toBe(
      '[ipv4]\nmethod=auto\n\n[connection]\nautoconnect=true\nautoconnect-priority=1\n',
    );
  });

  test('a refusal does not quote the line, which may be a secret', () => {
    const settings = [{ key: 'password', value: 'a\nhunter2' }];
    const passage = throughIni({ name: 'eth0.nmconnection', sections: [{ name: '802-1x', settings }] });
    expect(passage).toEqual({ ok: false, message: expect.not.stringContaining('hunter2') });
  });
});

// Characters that the library may change, at every position of a value and a key.
const odd = fc.constantFrom(
  ...'ab=:;#[]-. \t\n\r\u0085\u00a0\ufeff\u2028"\'`\\é',
  '\u{1f600}',
  '"'.repeat(3),
  '\n[x]\n',
  '\n# c\nd=e',
);
const oddText = fc.array(odd, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
const setting = fc.record({ key: fc.oneof(fc.constantFrom('id', 'dns-search', 'data.a'), oddText), value: oddText });
const section = fc.record({
  name: fc.constantFrom('connection', 'ipv4', 'user'),
  settings: fc.uniqueArray(setting, { selector: ({ key }) => key, maxLength: 4 }),
});

test('data passes the library with the same result as text', () => {
  fc.assert(
    fc.property(fc.uniqueArray(section, { selector: ({ name }) => name, minLength: 1 }), (sections) => {
      const profile = { name: 'a.nmconnection', sections };
      const passage = throughIni(profile);
      expect(passage.ok ? keyfileOf(passage.profile).content : passage.message).toBe(
        roundTrip(keyfileOf(profile).content),
      );
    }),
    { numRuns: 2000 },
  );
});
