import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CERTIFICATES } from '../../../test/support/certificates.ts';
import { certificateDates, derElements, objectIdText, pemBlocks, pemText } from '../src/der.ts';

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

describe('DER', () => {
  test.each([
    ['a length in more bytes than it needs', [0x04, 0x81, 0x01, 0x00]],
    ['a length that begins with a zero', [0x04, 0x82, 0x00, 0x80, ...new Array(0x80).fill(0)]],
    ['a length without an end', [0x30, 0x80, 0x00, 0x00]],
    ['a tag of several bytes', [0x1f, 0x04, 0x00]],
    ['a byte behind the last element', [0x04, 0x00, 0x00]],
  ])('has no %s', (_, bytes) => {
    expect(derElements(Uint8Array.from(bytes))).toBeUndefined();
  });

  test('takes the shortest length of each size', () => {
    for (const [header, size] of [
      [[0x7f], 0x7f],
      [[0x81, 0x80], 0x80],
      [[0x82, 0x01, 0x00], 0x100],
    ] as const) {
      expect(derElements(Uint8Array.from([0x04, ...header, ...new Array(size).fill(0)]))).toHaveLength(1);
    }
  });

  test.each([
    ['2.5.4.3', [0x55, 0x04, 0x03]],
    ['1.2.840.113549.1.9.14', [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e]],
    [undefined, [0x55, 0x04, 0x03, 0x80]],
    [undefined, [0x55, 0x04, 0x80, 0x03]],
    [undefined, [0x55, 0x04, 0x88, 0x80, 0x80, 0x80, 0x03]],
    [undefined, []],
  ])('names the object identifier %s', (text, bytes) => {
    expect(objectIdText(Uint8Array.from(bytes))).toBe(text);
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

  test('begins and ends a line, as Go wants it', () => {
    expect(pemBlocks(`x${first}`)).toEqual([]);
    expect(pemBlocks(` ${first}${second}`)).toHaveLength(1);
    expect(pemBlocks(`${first.trimEnd()}x\n`)).toEqual([]);
    expect(pemBlocks(`${first.trimEnd()} \r\n${second}`)).toHaveLength(2);
    expect(pemBlocks(first.replaceAll('\n', '\r\n'))).toMatchObject([{ content: der(first) }]);
  });

  test('that never ends is passed over once', () => {
    const endless = `-----BEGIN A-----${' '.repeat(100_000)}`;
    expect(pemBlocks(endless.repeat(20))).toEqual([]);
  });
});
