export { addressFault } from './address.ts';
export { goName, rpmName } from './architecture.ts';
export {
  type Base64Options,
  type Base64Reading,
  base64Length,
  bytesOfBase64,
  decodeBase64,
  encodeBase64,
} from './base64.ts';
export { compareBytes, hex, isBlank, type OwnBytes, sortByBytes, trimSpace, utf8Length } from './bytes.ts';
export { formatFloat } from './float.ts';
export {
  type IniEntry,
  type IniReading,
  type IniSection,
  readIni,
  type WrittenSection,
  type WrittenSetting,
  writtenIni,
} from './ini.ts';
export { escapeHtml, goJson } from './json.ts';
export { canonicalMac, parseMac } from './mac.ts';
export { cleanPath, extension } from './path.ts';
export { goQuote, goQuoteCharacter } from './quote.ts';
export { goText } from './text.ts';
export { type GoUrl, type GoUrlReading, parseGoUrl, percentDecode, queryValue } from './url.ts';
