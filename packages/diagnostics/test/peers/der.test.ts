import { certificateDates, pemBlocks, pemText } from '@coreiso/diagnostics/der';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CERTIFICATES } from '../../../../test/support/certificates.ts';

const der = (pem: string) => Uint8Array.from(Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64'));

describe('a certificate', () => {
  test.each([
    ['api' as const, 'api.example.test', '2024-01-02T03:04:05.000Z', '2026-03-04T05:06:07.000Z'],
    ['longLived' as const, 'Long Lived', '2024-01-02T03:04:05.000Z', '2076-03-04T05:06:07.000Z'],
    ['version3' as const, 'v3.example.test', '2026-11-16T05:21:19.000Z', '2036-11-13T05:21:19.000Z'],
  ])('%s says whose it is and how long it holds', (name, subject, notBefore, notAfter) => {
    expect(certificateDates(der(CERTIFICATES[name]))).toEqual({
      subject,
      notBefore: new Date(notBefore),
      notAfter: new Date(notAfter),
    });
  });

  test('that was damaged is none, or another one, but never a failure', () => {
    const whole = der(CERTIFICATES.version3);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, value, length) => {
        const damaged = whole.slice(0, length);
        if (at < length) damaged[at] = value;
        const dates = certificateDates(damaged);
        expect(dates === undefined || dates.notAfter instanceof Date).toBe(true);
      }),
    );
  });
});

describe('PEM', () => {
  const [first, second] = [CERTIFICATES.api, CERTIFICATES.version3];

  test('is read block by block, whatever stands around it', () => {
    const text = `notes\n${first}\n# more\n${second}end`;
    const blocks = pemBlocks(text);
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual([first, second].map((pem) => pem.trimEnd()));
    expect(blocks.map(({ label, content }) => content && pemText(label, content))).toEqual([first, second]);
  });

  test('with other base64 than Go takes has no content, and with other lines is none', () => {
    expect(pemBlocks('-----BEGIN A-----\nAAAAA\n-----END A-----')).toMatchObject([{ label: 'A', content: undefined }]);
    expect(pemBlocks('-----BEGIN A-----\nAAAA\n-----END B-----')).toEqual([]);
    expect(pemBlocks('-----BEGIN A-----AAAA\n-----END A-----')).toEqual([]);
  });

  test('that never ends is passed over once', () => {
    const endless = `-----BEGIN A-----${' '.repeat(100_000)}`;
    expect(pemBlocks(endless.repeat(20))).toEqual([]);
  });
});
