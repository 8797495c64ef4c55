import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CERTIFICATES } from '../../../test/support/certificates.ts';
import { certificateDates, DER, derElements, objectIdText, pemBlocks, pemText } from '../src/der.ts';

const der = (pem: string) => Uint8Array.from(Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64'));

describe('a certificate', () => {
  test.each([
    ['api' as const, 'api.example.test', '2024-01-02T03:04:05.000Z', '2026-03-04T05:06:07.000Z'],
    ['longLived' as const, 'Long Lived', '2024-01-02T03:04:05.000Z', '2076-03-04T05:06:07.000Z'],
    ['version3' as const, 'v3.example.test', '2026-11-16T05:21:19.000Z', '2036-11-13T05:21:19.000Z'],
  ])('%s gives its subject and its dates', (name, subject, notBefore, notAfter) => {
    expect(certificateDates(der(CERTIFICATES[name]))).toEqual({
      subject,
      notBefore: new Date(notBefore),
      notAfter: new Date(notAfter),
    });
  });

  /** A certificate with only the parts that are read: its two times and its subject. */
  const element = (tag: number, ...content: (number | number[])[]): number[] => {
    const bytes = content.flat();
    return [tag, bytes.length, ...bytes];
  };
  const time = (tag: number, text: string) => element(tag, [...Buffer.from(text)]);
  const attribute = (type: number[], value: string) =>
    element(DER.set, element(DER.sequence, element(DER.objectId, type), element(0x0c, [...Buffer.from(value)])));
  const [COUNTRY, COMMON_NAME, ORGANIZATION] = [6, 3, 10].map((last) => [0x55, 0x04, last]) as [
    number[],
    number[],
    number[],
  ];
  const certificate = (times: number[][], subject = element(DER.sequence)) => {
    const empty = element(DER.sequence);
    const signed = element(DER.sequence, [0x02, 0x01, 0x01], empty, empty, element(DER.sequence, ...times), subject);
    return Uint8Array.from(element(DER.sequence, signed, empty));
  };
  const noon = time(DER.utcTime, '240102120000Z');

  test.each([
    [DER.utcTime, '491231235959Z', '2049-12-31T23:59:59.000Z'],
    [DER.utcTime, '500101000000Z', '1950-01-01T00:00:00.000Z'],
    [DER.utcTime, '990101000000Z', '1999-01-01T00:00:00.000Z'],
    [DER.generalizedTime, '20500101000000Z', '2050-01-01T00:00:00.000Z'],
    [DER.utcTime, '2401021200Z', undefined],
    [DER.utcTime, '240102120000+0000', undefined],
    [DER.utcTime, '20240102120000Z', undefined],
    [DER.generalizedTime, '240102120000Z', undefined],
    [DER.generalizedTime, '20241302120000Z', undefined],
    [DER.octetString, '20240102120000Z', undefined],
    [DER.octetString, '240102120000Z', undefined],
  ])('whose times have tag %i and text %s is valid from and until %s', (tag, text, expected) => {
    const date = expected === undefined ? undefined : new Date(expected);
    const from = certificateDates(certificate([time(tag, text), noon]));
    const until = certificateDates(certificate([noon, time(tag, text)]));
    expect([from?.notBefore, until?.notAfter]).toEqual([date, date]);
  });

  test.each([
    [[attribute(COUNTRY, 'de'), attribute(ORGANIZATION, 'org'), attribute(COMMON_NAME, 'name')], 'name'],
    [[attribute(COUNTRY, 'de'), attribute(ORGANIZATION, 'org')], 'org'],
    [[attribute(COUNTRY, 'de')], ''],
    [[], ''],
  ])('takes its name from the common name, else from the organisation', (names, subject) => {
    const bytes = certificate([noon, noon], element(DER.sequence, ...names));
    expect(certificateDates(bytes)?.subject).toBe(subject);
  });

  test('is refused without both times or a subject', () => {
    expect(certificateDates(certificate([noon, noon]))).toBeDefined();
    expect(certificateDates(certificate([noon]))).toBeUndefined();
    expect(certificateDates(certificate([noon, noon], element(DER.set)))).toBeUndefined();
  });

  test('never throws when damaged', () => {
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

  test.each([
    ['one byte too few', [0x04, 0x02, 0x00]],
    ['a length of five bytes', [0x04, 0x85, 0x01, 0x00, 0x00, 0x00, 0x00]],
    ['a tag alone', [0x04]],
    ['a second element that is cut', [0x05, 0x00, 0x04, 0x01]],
    ['a length of four bytes without its content', [0x04, 0x84, 0x01, 0x00, 0x00, 0x00]],
  ])('has no %s', (_, bytes) => {
    expect(derElements(Uint8Array.from(bytes))).toBeUndefined();
  });

  test('gives elements with their content and their whole bytes', () => {
    const bytes = Uint8Array.of(0x04, 0x02, 0x61, 0x62, 0x30, 0x81, 0x80, ...new Array(0x80).fill(7), 0x05, 0x00);
    expect(derElements(bytes)).toEqual([
      { tag: 0x04, content: bytes.subarray(2, 4), whole: bytes.subarray(0, 4) },
      { tag: 0x30, content: bytes.subarray(7, 0x87), whole: bytes.subarray(4, 0x87) },
      { tag: 0x05, content: new Uint8Array(), whole: bytes.subarray(0x87) },
    ]);
    expect(derElements(new Uint8Array())).toEqual([]);
  });

  test('accepts a length of four bytes', () => {
    const bytes = new Uint8Array(6 + 0x0100_0000);
    bytes.set([0x04, 0x84, 0x01]);
    expect(derElements(bytes)?.[0]?.content).toHaveLength(0x0100_0000);
  });

  test('has the tags of X.680', () => {
    expect(Object.values(DER)).toEqual([1, 2, 3, 4, 6, 23, 24, 48, 49]);
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
    ['0.39', [0x27]],
    ['1.0', [0x28]],
    ['1.39', [0x4f]],
    ['2.0', [0x50]],
    ['2.48', [0x81, 0x00]],
    ['2.5.127.128', [0x55, 0x7f, 0x81, 0x00]],
    ['2.5.16385', [0x55, 0x81, 0x80, 0x01]],
    // The largest number that Go accepts, and the next one.
    ['2.5.2147483647', [0x55, 0x87, 0xff, 0xff, 0xff, 0x7f]],
    [undefined, [0x55, 0x88, 0x80, 0x80, 0x80, 0x00]],
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

  test('is read block by block with any text around it', () => {
    const text = `notes\n${first}\n# more\n${second}end`;
    const blocks = pemBlocks(text);
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual([first, second].map((pem) => pem.trimEnd()));
    expect(blocks.map(({ label, content }) => content && pemText(label, content))).toEqual([first, second]);
  });

  test('has no content if Go refuses its base64, and is ignored if its lines are wrong', () => {
    expect(pemBlocks('-----BEGIN A-----\nAAAAA\n-----END A-----')).toMatchObject([{ label: 'A', content: undefined }]);
    expect(pemBlocks('-----BEGIN A-----\nAAAA\n-----END B-----')).toEqual([]);
    expect(pemBlocks('-----BEGIN A-----AAAA\n-----END A-----')).toEqual([]);
  });

  test('requires lines of their own for BEGIN and END, as Go does', () => {
    expect(pemBlocks(`x${first}`)).toEqual([]);
    expect(pemBlocks(` ${first}${second}`)).toHaveLength(1);
    expect(pemBlocks(`${first.trimEnd()}x\n`)).toEqual([]);
    expect(pemBlocks(`${first.trimEnd()} \r\n${second}`)).toHaveLength(2);
    expect(pemBlocks(first.replaceAll('\n', '\r\n'))).toMatchObject([{ content: der(first) }]);
  });

  test('without an end is scanned once', () => {
    const endless = `-----BEGIN A-----${' '.repeat(100_000)}`;
    expect(pemBlocks(endless.repeat(20))).toEqual([]);
  });
});
