import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildConfig, configSize } from '../../src/build/config.ts';
import { directory, file, link, unit, user } from '../../src/build/parts.ts';
import { decodeDataUrl, resource } from '../../src/codec/data-url.ts';
import { dataUrlFault } from '../../src/codec/data-url-fault.ts';
import { gunzip, gzip } from '../../src/codec/gzip.ts';
import { IgnitionError } from '../../src/errors.ts';
import { stringifyConfig } from '../../src/spec/stringify.ts';

const random20 = Buffer.from('c09c6c018969a5bf57e41bf44a5fb73950a323a7', 'hex');

describe('writes content as the shortest data URL', () => {
  test.each([
    ['nothing', '', 'data:,', ''],
    ['a word', 'hello', 'data:,hello', ''],
    ['a line', 'file contents\n', 'data:,file%20contents%0A', ''],
    ['blanks', '      ', 'data:;base64,ICAgICAg', ''],
    ['random bytes', random20, 'data:;base64,wJxsAYlppb9X5Bv0Sl+3OVCjI6c=', ''],
  ])('%s', (_, content, source, compression) => {
    expect(resource(content)).toEqual({ compression, source });
  });

  test('compresses repetition, and sets compression', () => {
    const { source, compression } = resource('z'.repeat(150));
    expect(compression).toBe('gzip');
    const packed = Buffer.from(source.slice('data:;base64,'.length), 'base64');
    expect(gunzipSync(packed).toString()).toBe('z'.repeat(150));
    expect([...packed.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
  });

  test('does not compress if compress is never', () => {
    expect(resource('z'.repeat(150), { compress: 'never' })).toEqual({
      compression: '',
      source: `data:,${'z'.repeat(150)}`,
    });
  });

  test('reads any bytes back from their URL', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('auto' as const, 'never' as const),
        (bytes, compress) => {
          const { source, compression } = resource(bytes, { compress });
          const raw = decodeDataUrl(source);
          expect(raw).toBeDefined();
          expect([...((compression === 'gzip' ? gunzip(raw!, 1 << 20) : raw) ?? [])]).toEqual([...bytes]);
        },
      ),
    );
  });
});

describe('data URLs of other programs', () => {
  test.each([
    ['parameters', 'data:text/plain;charset=utf-8,a%20b', 'a b'],
    ['a comma inside quotes', 'data:text/plain;x="a,b",c', 'c'],
    ['base64', 'data:text/plain;base64,aGVsbG8=', 'hello'],
  ])('are read with %s', (_, url, text) => {
    expect(new TextDecoder().decode(decodeDataUrl(url))).toBe(text);
  });

  test.each(['https://x.example/', 'data:', 'data:;base64,a', 'data:,%zz'])('%s give no bytes', (url) => {
    expect(decodeDataUrl(url)).toBeUndefined();
  });
});

describe('gunzip', () => {
  test('stops at its limit', () => {
    const bomb = gzip(new Uint8Array(50 << 20));
    expect(gunzip(bomb, 1 << 20)).toBeUndefined();
    expect(gunzip(bomb, 50 << 20)?.length).toBe(50 << 20);
  });

  test('refuses truncated data and data that is not gzip', () => {
    const whole = gzip(new TextEncoder().encode('hello'));
    expect(gunzip(whole.subarray(0, whole.length - 3), 100)).toBeUndefined();
    expect(gunzip(Uint8Array.of(1, 2, 3), 100)).toBeUndefined();
    expect(gunzip(new Uint8Array(), 100)).toBeUndefined();
  });
});

describe('refuses a decimal mode that was meant to be octal', () => {
  const DIRECTORIES =
    '500 550 555 700 750 755 770 775 777 1700 1750 1755 1770 1775 1777 2700 2750 2755 2770 2775 2777 3700 3750 3755 3770 3775 3777';
  const FILES =
    '400 440 444 500 550 555 600 640 644 660 664 666 700 750 755 770 775 777 2500 2550 2555 2700 2750 2755 2770 2775 4500 4550 4555 4700 4750 4755 4770 4775 6500 6550 6555 6700 6750 6755 6770 6775';
  const refused = (make: (mode: number) => unknown) =>
    Array.from({ length: 0o7777 + 1 }, (_, mode) => mode)
      .filter((mode) => {
        try {
          make(mode);
          return false;
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          return true;
        }
      })
      .join(' ');

  test('of a directory', () => {
    expect(refused((mode) => directory('/d', { mode }))).toBe(inRange(DIRECTORIES));
  });

  test('of a file', () => {
    expect(refused((mode) => file('/f', '', { mode }))).toBe(inRange(FILES));
  });

  test.each([-1, 0o10000, 1.5, Number.NaN])('and %d, which is not a mode', (mode) => {
    expect(() => file('/f', '', { mode })).toThrow(RangeError);
  });

  /** Removes numbers above 0o7777, which are not modes. */
  function inRange(numbers: string): string {
    return numbers
      .split(' ')
      .filter((number) => Number(number) <= 0o7777)
      .join(' ');
  }
});

describe('buildConfig', () => {
  test('writes every part, with members in the order of Ignition', () => {
    const config = buildConfig({
      version: '3.4.0',
      units: [unit('a.service', { enabled: true, dropins: [{ name: '10-b.conf', contents: '[Service]\n' }] })],
      links: [link('/etc/l', '../target', { user: 'core' })],
      files: [file('/etc/f', 'x', { mode: 0o600, group: 5 }), file('/etc/g', 'y', { append: true, overwrite: false })],
      directories: [directory('/var/d', { mode: 0o755 })],
      users: [user('core', { sshAuthorizedKeys: 'ssh-ed25519 AAAA a\r\n\nssh-rsa BBBB b\n' })],
      kernelArguments: { shouldExist: ['a=b'], shouldNotExist: ['quiet'] },
      proxy: { httpProxy: 'http://p.example:3128', noProxy: ['localhost', '.example'] },
      certificateAuthorities: [resource('PEM')],
      merge: [resource('{"ignition":{"version":"3.0.0"}}', { compress: 'never' })],
    });
    expect(JSON.parse(stringifyConfig(config))).toEqual({
      ignition: {
        config: {
          merge: [{ compression: '', source: 'data:;base64,eyJpZ25pdGlvbiI6eyJ2ZXJzaW9uIjoiMy4wLjAifX0=' }],
        },
        proxy: { httpProxy: 'http://p.example:3128', noProxy: ['localhost', '.example'] },
        security: { tls: { certificateAuthorities: [{ compression: '', source: 'data:,PEM' }] } },
        version: '3.4.0',
      },
      kernelArguments: { shouldExist: ['a=b'], shouldNotExist: ['quiet'] },
      passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['ssh-ed25519 AAAA a', 'ssh-rsa BBBB b'] }] },
      storage: {
        directories: [{ mode: 0o755, path: '/var/d' }],
        files: [
          { contents: { compression: '', source: 'data:,x' }, group: { id: 5 }, mode: 0o600, path: '/etc/f' },
          { append: [{ compression: '', source: 'data:,y' }], overwrite: false, path: '/etc/g' },
        ],
        links: [{ path: '/etc/l', target: '../target', user: { name: 'core' } }],
      },
      systemd: {
        units: [{ dropins: [{ contents: '[Service]\n', name: '10-b.conf' }], enabled: true, name: 'a.service' }],
      },
    });
    expect(Object.keys(config)).toEqual(['ignition', 'kernelArguments', 'passwd', 'storage', 'systemd']);
  });

  test('takes the lowest version that supports all parts', () => {
    expect(buildConfig({}).ignition.version).toBe('3.0.0');
    expect(buildConfig({ kernelArguments: { shouldExist: ['a'] } }).ignition.version).toBe('3.3.0');
  });

  test('refuses a version that does not support a part', () => {
    const build = () => buildConfig({ version: '3.2.0', kernelArguments: { shouldExist: ['a'] } });
    expect(build).toThrow(expect.objectContaining({ code: 'IGNITION_NOT_EXPRESSIBLE' }));
  });

  test('refuses what Ignition would refuse', () => {
    const twice = () => buildConfig({ files: [file('/a', ''), file('/a', '')] });
    expect(twice).toThrow(IgnitionError);
    expect(twice).toThrow(expect.objectContaining({ code: 'IGNITION_INVALID' }));
  });

  test('gives equal text for equal parts', () => {
    const make = () => stringifyConfig(buildConfig({ files: [file('/a', 'z'.repeat(1000))] }));
    expect(make()).toBe(make());
  });
});

test.each(['', '..', '../../x.service', 'a\nb.service', `${'x'.repeat(248)}.service`])(
  'refuses the name %j for units and drop-ins',
  (name) => {
    expect(() => unit(name)).toThrow(/^name of a unit must be a file name, not ".*": it /);
    expect(() => unit('a.service', { dropins: [{ name, contents: '' }] })).toThrow(
      /^name of a drop-in must be a file name, not ".*": it /,
    );
  },
);

test('measures a config before it is embedded', () => {
  const config = buildConfig({ files: [file('/a', 'hello')] });
  const { json, gzip: packed } = configSize(config);
  expect(json).toBe(stringifyConfig(config).length);
  expect(packed).toBeGreaterThan(20);
  expect(packed).toBeLessThan(json);
});

describe('reports bad data URLs with the message of Ignition', () => {
  test.each([
    ['data:;attr=', 'missing comma before data'],
    ['data:text/plain;attr=', 'missing comma before data'],
    ['data:;a=b;c=', 'missing comma before data'],
    ['data:;attr=""', 'missing comma before data'],
    ['data:;attr="', 'unclosed quoted string'],
    ['data:;a="\\"', 'unclosed quoted string'],
    ['data:;attr=""x', 'expected semicolon or comma'],
    ['data:;attr=,', 'invalid character for parameter value'],
    ['data:;attr=;base64,QQ==', 'invalid character for parameter value'],
    ['data:;attr', 'unterminated parameter sequence'],
    ['data:;', 'unterminated parameter sequence'],
    ['data:;a="";b=%zz,', undefined],
  ])('%s', (url, expected) => {
    expect(dataUrlFault(url)).toBe(expected);
  });
});
