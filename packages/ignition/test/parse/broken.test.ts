// Configs with one mistake: the message of `customize` with the bytes that it had read, and the finding of `validate` with its
// place and help.
import { validate } from '@coreiso/ignition';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/customize/refusal.ts';
import { readUserConfig } from '../../src/customize/user-config.ts';

function config(members: string): string {
  return `{"ignition":{"version":"3.4.0"},${members}`;
}

function customized(text: string): string {
  try {
    const { json, version, newer } = readUserConfig(new TextEncoder().encode(text), 'c.ign', { newer: 'refuse' });
    expect([version, newer]).toEqual(['3.4.0', false]);
    return new TextDecoder().decode(json);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, chain, range } = error;
    expect(chain[0]).toBe('parsing Ignition config c.ign');
    return `${code.replace('ignition/', '')}: ${chain[1]}${range === undefined ? '' : ` @${range.end.offset}`}`;
  }
}

function firstFinding(text: string): string | undefined {
  const [finding] = validate(text).diagnostics;
  if (finding === undefined) return undefined;
  const { code, message, range, help } = finding;
  const place = range === undefined ? '' : ` @${range.start.offset}`;
  return `${code} ${message}${place}${help === undefined ? '' : ` | ${help}`}`;
}

test.each<[text: string, customized: string, finding: string | undefined]>([
  ['', 'invalid-json: the text ends where a value is expected @0', 'ignition/empty not a config (empty)'],
  [
    ' ',
    'invalid-json: the text ends where a value is expected @1',
    'ignition/syntax not JSON: the text ends before the config does @1',
  ],
  [
    '{',
    'invalid-json: the text ends within an object @1',
    'ignition/syntax not JSON: the text ends before the config does @1',
  ],
  [
    '{"',
    'invalid-json: the text ends within a string @2',
    'ignition/syntax not JSON: the text ends before the config does @2',
  ],
  [
    '{"a',
    'invalid-json: the text ends within a string @3',
    'ignition/syntax not JSON: the text ends before the config does @3',
  ],
  [
    '{"a"',
    'invalid-json: the text ends within an object @4',
    'ignition/syntax not JSON: the text ends before the config does @4',
  ],
  [
    '{"a":',
    'invalid-json: the text ends where a value is expected @5',
    'ignition/syntax not JSON: the text ends before the config does @5',
  ],
  [
    '{"a":1',
    'invalid-json: the text ends within an object @6',
    'ignition/syntax not JSON: the text ends before the config does @6',
  ],
  [
    '{"a":1,',
    'invalid-json: the text ends where a value is expected @7',
    'ignition/syntax not JSON: the text ends before the config does @7',
  ],
  [
    '{"a":1,}',
    'invalid-json: there is a comma before the end @8',
    "ignition/syntax not JSON: expected a member name in double quotes, found '}' @7 | Remove the comma before it.",
  ],
  [
    '{"a" 1}',
    'invalid-json: a colon is expected @6',
    "ignition/syntax not JSON: expected a colon after the member name, found '1' @5",
  ],
  [
    '{a:1}',
    'invalid-json: a key in double quotes is expected @2',
    "ignition/syntax not JSON: expected a member name in double quotes, found 'a' @1",
  ],
  [
    '{"a":1 "b":2}',
    'invalid-json: a comma or the end of the object is expected @8',
    "ignition/syntax not JSON: expected a comma or a closing brace after the member, found '\"' @7",
  ],
  [
    '[',
    'invalid-json: the text ends within a list @1',
    'ignition/syntax not JSON: the text ends before the config does @1',
  ],
  [
    '[1',
    'invalid-json: [0]: expected an object, not a whole number @2',
    'ignition/syntax not JSON: the text ends before the config does @2',
  ],
  [
    '[1,',
    'invalid-json: [0]: expected an object, not a whole number @2',
    'ignition/syntax not JSON: the text ends before the config does @3',
  ],
  [
    '[1,]',
    'invalid-json: [0]: expected an object, not a whole number @2',
    "ignition/syntax not JSON: expected a value, found ']' @3 | Remove the comma before it.",
  ],
  [
    '[1 2]',
    'invalid-json: [0]: expected an object, not a whole number @2',
    "ignition/syntax not JSON: expected a comma or a closing bracket after the list item, found '2' @3",
  ],
  [
    '{"a":[1 2]}',
    'invalid-json: a comma or the end of the list is expected @9',
    "ignition/syntax not JSON: expected a comma or a closing bracket after the list item, found '2' @8",
  ],
  [
    '{"a":[1',
    'invalid-json: the text ends within a list @7',
    'ignition/syntax not JSON: the text ends before the config does @7',
  ],
  [
    '{"a":[1,',
    'invalid-json: the text ends where a value is expected @8',
    'ignition/syntax not JSON: the text ends before the config does @8',
  ],
  [
    '{"a":tru}',
    'invalid-json: only true, false and null are written without quotes @9',
    "ignition/syntax not JSON: expected true, false, null or a string in double quotes, found '}' @8",
  ],
  [
    '{"a":nul',
    'invalid-json: the text ends where a value is expected @8',
    'ignition/syntax not JSON: expected true, false, null or a string in double quotes @8',
  ],
  [
    '{"a":falsy}',
    'invalid-json: only true, false and null are written without quotes @10',
    "ignition/syntax not JSON: expected true, false, null or a string in double quotes, found 'y' @9",
  ],
  ['{"a":x}', 'invalid-json: a value is expected @6', "ignition/syntax not JSON: expected a value, found 'x' @5"],
  [
    '{"a":-}',
    'invalid-json: invalid number @7',
    "ignition/syntax not JSON: expected a digit after the minus sign, found '}' @6",
  ],
  ['{"a":-', 'invalid-json: invalid number @6', 'ignition/syntax not JSON: expected a digit after the minus sign @6'],
  [
    '{"a":1.}',
    'invalid-json: invalid number @8',
    "ignition/syntax not JSON: expected a digit after the decimal point, found '}' @7",
  ],
  [
    '{"a":1.',
    'invalid-json: invalid number @7',
    'ignition/syntax not JSON: expected a digit after the decimal point @7',
  ],
  [
    '{"a":1e}',
    'invalid-json: invalid number @8',
    "ignition/syntax not JSON: expected a digit after the exponent, found '}' @7",
  ],
  ['{"a":1e+', 'invalid-json: invalid number @8', 'ignition/syntax not JSON: expected a digit after the exponent @8'],
  [
    '{"a":1e+x}',
    'invalid-json: invalid number @9',
    "ignition/syntax not JSON: expected a digit after the exponent, found 'x' @8",
  ],
  [
    '{"a":01}',
    'invalid-json: invalid number @7',
    "ignition/syntax not JSON: expected a comma or a closing brace after the member, found '1' @6",
  ],
  [
    '{"a":1e999}',
    'invalid-json: ignition is missing @11',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"a":"\\x"}',
    'invalid-json: invalid escape in a string @8',
    "ignition/syntax not JSON: expected one of \" \\ / b f n r t u after the backslash, found 'x' @7",
  ],
  [
    '{"a":"\\u12"}',
    'invalid-json: invalid escape in a string @12',
    "ignition/syntax not JSON: expected four hexadecimal digits after \\u, found '\"' @10",
  ],
  [
    '{"a":"\\u12',
    'invalid-json: the text ends within a string @10',
    'ignition/syntax not JSON: expected four hexadecimal digits after \\u @10',
  ],
  [
    '{"a":"\\ud800"}',
    'invalid-json: ignition is missing @14',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"a":"\\ud800\\u0041"}',
    'invalid-json: ignition is missing @20',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"a":"\\ud800x"}',
    'invalid-json: ignition is missing @15',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"a":"\\udc00"}',
    'invalid-json: ignition is missing @14',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"a":"\\ud83d\\ude00"}',
    'invalid-json: ignition is missing @20',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"a":"\n"}',
    'invalid-json: there is a control character in a string @6',
    "ignition/syntax not JSON: expected a double quote at the end of the string, with line breaks written as \\n, found '\\n' @6",
  ],
  [
    '{"a":"\u001f"}',
    'invalid-json: there is a control character in a string @6',
    "ignition/syntax not JSON: expected a double quote at the end of the string, with line breaks written as \\n, found '\\x1f' @6",
  ],
  [
    '{"a":"\\',
    'invalid-json: the text ends within a string @7',
    'ignition/syntax not JSON: expected one of " \\ / b f n r t u after the backslash @7',
  ],
  [
    '{"a":"b\\',
    'invalid-json: the text ends within a string @8',
    'ignition/syntax not JSON: expected one of " \\ / b f n r t u after the backslash @8',
  ],
  [
    '{}x',
    'invalid-json: ignition is missing @2',
    "ignition/syntax not JSON: expected nothing after the config, found 'x' @2",
  ],
  [
    '{}}',
    'invalid-json: ignition is missing @2',
    "ignition/syntax not JSON: expected nothing after the config, found '}' @2",
  ],
  [
    '{} ',
    'invalid-json: ignition is missing @2',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    'null',
    'invalid-json: expected an object, not null @4',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '1',
    'invalid-json: expected an object, not a whole number @1',
    'ignition/type a config must be an object, not this number @0',
  ],
  [
    '"a"',
    'invalid-json: expected an object, not a string @3',
    'ignition/type a config must be an object, not a string @0',
  ],
  [
    'true',
    'invalid-json: expected an object, not true or false @4',
    'ignition/type a config must be an object, not true @0',
  ],
  [
    '{"ignition":null}',
    'invalid-json: ignition: expected an object, not null @16',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"ignition":1}',
    'invalid-json: ignition: expected an object, not a whole number @13',
    'ignition/type ignition must be an object, not this number @12',
  ],
  [
    '{"ignition":[]}',
    'invalid-json: ignition: expected an object, not a list of 0 @14',
    'ignition/type ignition must be an object, not a list @12',
  ],
  [
    '{"ignition":{"version":1}}',
    'invalid-json: ignition.version: expected a string, not a whole number @24',
    'ignition/type version must be a string, not this number @23 | Put it in double quotes.',
  ],
  [
    '{"ignition":{"version":1.5}}',
    'invalid-json: ignition.version: expected a string, not a number with a fraction @26',
    'ignition/type version must be a string, not this number @23 | Put it in double quotes.',
  ],
  [
    '{"ignition":{"version":null}}',
    'invalid-json: ignition.version: expected a string, not null @27',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"ignition":{"version":true}}',
    'invalid-json: ignition.version: expected a string, not true or false @27',
    'ignition/type version must be a string, not true @23 | Put it in double quotes.',
  ],
  [
    '{"ignition":{"version":[]}}',
    'invalid-json: ignition.version: expected a string, not a list @23',
    'ignition/type version must be a string, not a list @23',
  ],
  [
    '{"ignition":{"version":{}}}',
    'invalid-json: ignition.version: expected a string, not an object @23',
    'ignition/type version must be a string, not an object @23',
  ],
  [config('"ignition":{"version":"3.4.0"}}'), 'invalid-json: ignition is given twice @42', undefined],
  [
    '{"ignition":{"version":"3.4.0","version":"3.4.0"}}',
    'invalid-json: ignition: version is given twice @40',
    undefined,
  ],
  [
    '{"ignition":{}}',
    'invalid-json: ignition: version is missing @14',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"ignition":{"version":""}}',
    'version-unsupported: "" is not a version such as 3.5.0',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"ignition":{"version":"3"}}',
    'version-unsupported: "3" is not a version such as 3.5.0',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"ignition":{"version":"3.4"}}',
    'version-unsupported: "3.4" is not a version such as 3.5.0',
    'ignition/version-unreadable invalid config version (couldn\'t parse) | Set ignition.version to the spec version the config is written in, for example "3.6.0".',
  ],
  [
    '{"ignition":{"version":"3.4.0-experimental"}}',
    'version-unsupported: unsupported config version: 3.4.0-experimental',
    'ignition/version-unsupported unsupported config version | Use one of 3.0.0, 3.1.0, 3.2.0, 3.3.0, 3.4.0, 3.5.0, 3.6.0, 3.7.0-experimental.',
  ],
  [
    '{"ignition":{"version":"2.3.0"}}',
    'version-unsupported: unsupported config version: 2.3.0',
    'ignition/version-unsupported unsupported config version | Translate the config to spec 3 first (ign-converter does it), or write it as Butane and let Butane produce spec 3.',
  ],
  [
    '{"ignition":{"version":"3.9.0"}}',
    'version-unsupported: unsupported config version: 3.9.0',
    'ignition/version-newer spec version 3.9.0 is newer than this package knows; the config was not checked @23',
  ],
  [
    '{"ignition":{"version":"4.0.0"}}',
    'version-unsupported: unsupported config version: 4.0.0',
    'ignition/version-unsupported unsupported config version | Use one of 3.0.0, 3.1.0, 3.2.0, 3.3.0, 3.4.0, 3.5.0, 3.6.0, 3.7.0-experimental.',
  ],
  ['{"ignition":{"version":"3.04.0"}}', 'version-unsupported: "3.04.0" is not a version such as 3.5.0', undefined],
  [
    config('"storage":{"files":[{"path":"/a","mode":1.5}]}}'),
    'invalid-json: storage.files[0].mode: expected a whole number, not a number with a fraction @75',
    'ignition/type mode must be a whole number of at most 64 bits, written without point or exponent, not this number @72',
  ],
  [
    config('"storage":{"files":[{"path":"/a","mode":"x"}]}}'),
    'invalid-json: storage.files[0].mode: expected a whole number, not a string @75',
    'ignition/type mode must be a whole number of at most 64 bits, written without point or exponent, not a string @72',
  ],
  [
    config('"storage":{"files":[{"path":"/a","mode":9223372036854775807}]}}'),
    '{"ignition":{"version":"3.4.0"},"storage":{"files":[{"mode":9223372036854775807,"overwrite":null,"path":"/a"}]}}',
    'ignition/mode-illegal illegal file mode @72 | Write the mode in decimal: 420 is 0644, 493 is 0755.',
  ],
  [
    config('"storage":{"files":[{"path":"/a","mode":9223372036854775808}]}}'),
    'invalid-json: storage.files[0].mode: the number does not fit 64 bits @91',
    'ignition/type mode must be a whole number of at most 64 bits, written without point or exponent, not this number @72',
  ],
  [
    config('"storage":{"files":[{"path":"/a","mode":-9223372036854775808}]}}'),
    '{"ignition":{"version":"3.4.0"},"storage":{"files":[{"mode":-9223372036854775808,"overwrite":null,"path":"/a"}]}}',
    'ignition/mode-illegal illegal file mode @72 | Write the mode in decimal: 420 is 0644, 493 is 0755.',
  ],
  [
    config('"storage":{"files":[{"path":"/a","mode":-9223372036854775809}]}}'),
    'invalid-json: storage.files[0].mode: expected a whole number, not a number with a fraction @92',
    'ignition/type mode must be a whole number of at most 64 bits, written without point or exponent, not this number @72',
  ],
  [
    config('"storage":{"files":[{"path":"/a","mode":18446744073709551615}]}}'),
    'invalid-json: storage.files[0].mode: the number does not fit 64 bits @92',
    'ignition/type mode must be a whole number of at most 64 bits, written without point or exponent, not this number @72',
  ],
  [
    config('"storage":{"files":[{"path":"/a","mode":18446744073709551616}]}}'),
    'invalid-json: storage.files[0].mode: expected a whole number, not a number with a fraction @92',
    'ignition/type mode must be a whole number of at most 64 bits, written without point or exponent, not this number @72',
  ],
  [
    config('"storage":{"files":[{"path":"/a","mode":-0}]}}'),
    'invalid-json: storage.files[0].mode: expected a whole number, not a number with a fraction @74',
    undefined,
  ],
  [
    config('"storage":{"files":[{"path":1}]}}'),
    'invalid-json: storage.files[0].path: expected a string, not a whole number @61',
    'ignition/type path must be a string, not this number @60 | Put it in double quotes.',
  ],
  [
    config('"storage":{"files":[{}]}}'),
    'invalid-json: storage.files[0]: path is missing @54',
    'ignition/path-not-specified path not specified @52 | Add the absolute path.',
  ],
  [
    config('"storage":{"files":{}}}'),
    'invalid-json: storage.files: expected a list, not an object @51',
    'ignition/type files must be a list, not an object @51 | Put it in square brackets.',
  ],
  [
    config('"storage":[]}'),
    'invalid-json: storage: expected an object, not a list of 0 @44',
    'ignition/type storage must be an object, not a list @42',
  ],
  [
    config('"storage":[[],[],[],[],[],[]]}'),
    'invalid-json: storage: expected an object, not a list of 6 @61',
    'ignition/type storage must be an object, not a list @42',
  ],
  [
    config('"storage":[null]}'),
    'invalid-json: storage: expected an object, not a list of 1 @48',
    'ignition/type storage must be an object, not a list @42',
  ],
  [
    config('"storage":{"files":["/a"]}}'),
    'invalid-json: storage.files[0]: expected an object, not a string @56',
    'ignition/type this item must be an object, not a string @52',
  ],
  [
    config('"storage":{"files":[["/a"]]}}'),
    'invalid-json: storage.files[0][0]: expected a list, not a string @57',
    'ignition/type this item must be an object, not a list @52',
  ],
  [
    config('"storage":{"files":[{"path":"/a","overwrite":1}]}}'),
    'invalid-json: storage.files[0].overwrite: expected true or false, not a whole number @78',
    'ignition/type overwrite must be true or false, not this number @77',
  ],
  [
    config('"storage":{"files":[{"path":"/a","overwrite":truex}]}}'),
    'invalid-json: a comma or the end of the object is expected @82',
    "ignition/syntax not JSON: expected a comma or a closing brace after the member, found 'x' @81",
  ],
  [
    config('"x":{"y":[1,{"z":"\\u0041"}]}}'),
    '{"ignition":{"version":"3.4.0"}}',
    'ignition/unused-key unused key x @32',
  ],
  [
    config('"x":{"y":[1,{"z":"\\q"}]}}'),
    'invalid-json: invalid escape in a string @52',
    "ignition/syntax not JSON: expected one of \" \\ / b f n r t u after the backslash, found 'q' @51",
  ],
  [
    config('"x":{"y":[1 2]}}'),
    'invalid-json: a comma or the end of the list is expected @45',
    "ignition/syntax not JSON: expected a comma or a closing bracket after the list item, found '2' @44",
  ],
  [
    config('"x":{"y" 1}}'),
    'invalid-json: a colon is expected @42',
    "ignition/syntax not JSON: expected a colon after the member name, found '1' @41",
  ],
  [
    config('"x":{y:1}}'),
    'invalid-json: a key in double quotes is expected @38',
    "ignition/syntax not JSON: expected a member name in double quotes, found 'y' @37",
  ],
  [
    config('"x":{"y":1 "z":1}}'),
    'invalid-json: a comma or the end of the object is expected @44',
    "ignition/syntax not JSON: expected a comma or a closing brace after the member, found '\"' @43",
  ],
  [
    config('"x":['),
    'invalid-json: the text ends within a list @37',
    'ignition/syntax not JSON: the text ends before the config does @37',
  ],
  [
    config('"x":{'),
    'invalid-json: the text ends within an object @37',
    'ignition/syntax not JSON: the text ends before the config does @37',
  ],
  [
    config('"x":{"y":'),
    'invalid-json: the text ends where a value is expected @41',
    'ignition/syntax not JSON: the text ends before the config does @41',
  ],
  [
    config('"x":{"y":1'),
    'invalid-json: the text ends within an object @42',
    'ignition/syntax not JSON: the text ends before the config does @42',
  ],
  [
    config('"x":[1'),
    'invalid-json: the text ends within a list @38',
    'ignition/syntax not JSON: the text ends before the config does @38',
  ],
  [
    config('"x":"'),
    'invalid-json: the text ends within a string @37',
    'ignition/syntax not JSON: the text ends before the config does @37',
  ],
  [
    config('"x":-'),
    'invalid-json: invalid number @37',
    'ignition/syntax not JSON: expected a digit after the minus sign @37',
  ],
  [
    config('"x":{"y":1,}}'),
    'invalid-json: a key in double quotes is expected @44',
    "ignition/syntax not JSON: expected a member name in double quotes, found '}' @43 | Remove the comma before it.",
  ],
  [
    config('"x":[1,]}'),
    'invalid-json: a value is expected @40',
    "ignition/syntax not JSON: expected a value, found ']' @39 | Remove the comma before it.",
  ],
  [
    config('"x":tru}'),
    'invalid-json: only true, false and null are written without quotes @40',
    "ignition/syntax not JSON: expected true, false, null or a string in double quotes, found '}' @39",
  ],
  [
    config('"x":}'),
    'invalid-json: a value is expected @37',
    "ignition/syntax not JSON: expected a value, found '}' @36",
  ],
  [
    config('"x":@}'),
    'invalid-json: a value is expected @37',
    "ignition/syntax not JSON: expected a value, found '@' @36",
  ],
  [
    config('"x":{"y":1]}'),
    'invalid-json: a comma or the end of the object is expected @43',
    "ignition/syntax not JSON: expected a comma or a closing brace after the member, found ']' @42",
  ],
  [
    config('"x":[1}}'),
    'invalid-json: a comma or the end of the list is expected @39',
    "ignition/syntax not JSON: expected a comma or a closing bracket after the list item, found '}' @38",
  ],
  [
    config('"passwd":{"users":[{"name":"a","uid":3000000000}]}}'),
    '{"ignition":{"version":"3.4.0"},"passwd":{"users":[{"gecos":null,"homeDir":null,"name":"a","noCreateHome":null,"noLogInit":null,"noUserGroup":null,"passwordHash":null,"primaryGroup":null,"shell":null,"shouldExist":null,"system":null,"uid":3000000000}]}}',
    undefined,
  ],
  [
    config('"passwd":{"users":[{"name":"a","uid":true}]}}'),
    'invalid-json: passwd.users[0].uid: expected a whole number, not true or false @73',
    'ignition/type uid must be a whole number of at most 64 bits, written without point or exponent, not true @69',
  ],
  [
    config('"passwd":{"users":[{"name":null}]}}'),
    'invalid-json: passwd.users[0].name: expected a string, not null @63',
    undefined,
  ],
  [config('"passwd":{"users":null}}'), '{"ignition":{"version":"3.4.0"},"passwd":{}}', undefined],
  [
    config('"storage":{"files":[{"path":"a\\tb","mode":1}], "files": []}}'),
    'invalid-json: storage: files is given twice @86',
    undefined,
  ],
])('%j', (text, told, finding) => {
  expect([customized(text), firstFinding(text)]).toEqual([told, finding]);
});
