import { utf8Length } from '@coreiso/peers/go';
import type { Place } from '../parse/place.ts';
import { COMPRESSIONS, HASHES, within } from '../spec/fields.ts';
import type {
  CertificateAuthority,
  ConfigReferences,
  HttpHeader,
  Ignition,
  ProxySettings,
  Resource,
  Tls,
  Verification,
} from '../spec/generated/types.ts';
import { readVersion, SPEC_VERSIONS } from '../spec/version.ts';
import type { Check, Findings } from './breaches.ts';
import { schemeOf, sourceFault } from './url.ts';

/** Only configs from memory can fail here, because a text with another version is not read with this model. */
export const checkIgnition: Check<Ignition> = ({ version }, at, findings) => {
  const reading = readVersion(version ?? '');
  if (reading.kind === 'unreadable') findings.add('version-unreadable', at, 'version');
  else if (reading.kind !== 'known' || reading.version !== SPEC_VERSIONS[findings.minor]) {
    findings.add('version-unsupported', at, 'version');
  }
};

export const checkConfigReferences: Check<ConfigReferences> = ({ merge = [] }, at, findings) => {
  checkRequiredSources(merge, at, 'merge', findings);
};

export const checkTls: Check<Tls> = ({ certificateAuthorities = [] }, at, findings) => {
  checkRequiredSources(certificateAuthorities, at, 'certificateAuthorities', findings);
};

function checkRequiredSources(resources: readonly Resource[], at: Place, member: string, findings: Findings): void {
  if (findings.minor === 0) return;
  for (const [index, { source }] of resources.entries()) {
    if (!source) findings.add('source-required', at, member, index);
    else checkSource(source, at, [member, index], findings);
  }
}

function checkSource(source: string, at: Place, steps: readonly (string | number)[], findings: Findings): void {
  const fault = sourceFault(source, findings.minor);
  if (fault !== undefined) findings.addWith(fault.detail, fault.rule, at, ...steps);
}

export const checkResource: Check<Resource> = (resource, at, findings) => {
  const { compression, httpHeaders = [], source, verification } = resource;
  if (compression !== undefined && !Object.hasOwn(COMPRESSIONS, compression)) {
    findings.add('compression-unknown', at, 'compression');
  }
  if (verification?.hash !== undefined && source === undefined) {
    findings.add('hash-without-source', at, 'verification', 'hash');
  }
  if (source) checkSource(source, at, ['source'], findings);
  if (httpHeaders.length === 0) return;
  const scheme = source ? schemeOf(source) : undefined;
  if (scheme === undefined) findings.add('url-unparsable', at, 'httpHeaders');
  else if (scheme !== 'http' && scheme !== 'https') findings.add('header-scheme', at, 'httpHeaders');
};

/** Checks a reference. In 3.0.0 it has only a source to check. */
export const checkReference: Check<Resource> = (resource, at, findings) => {
  if (findings.minor > 0) checkResource(resource, at, findings);
  else if (resource.source) checkSource(resource.source, at, ['source'], findings);
};

/** In 3.0.0 an empty source of a certificate authority differs from an absent one. */
export const checkCertificateAuthority: Check<CertificateAuthority> = (authority, at, findings) => {
  if (findings.minor > 0) checkResource(authority, at, findings);
  else checkSource(authority.source ?? '', at, ['source'], findings);
};

export const checkHttpHeader: Check<HttpHeader> = ({ name, value }, at, findings) => {
  if (!name) findings.add('header-name-required', at, 'name');
  if (value === '') findings.add('header-value-empty', at, 'value');
};

export const checkVerification: Check<Verification> = ({ hash }, at, findings) => {
  if (hash === undefined) return;
  const hyphen = hash.indexOf('-');
  const name = hash.slice(0, Math.max(hyphen, 0));
  const known = Object.hasOwn(HASHES, name) ? HASHES[name] : undefined;
  if (hyphen === -1) findings.add('hash-malformed', at, 'hash');
  else if (known === undefined || !within(known.in, findings.minor)) findings.add('hash-unknown', at, 'hash');
  else if (utf8Length(hash.slice(hyphen + 1)) !== known.digits) findings.add('hash-length', at, 'hash');
};

export const checkProxy: Check<ProxySettings> = ({ httpProxy, httpsProxy }, at, findings) => {
  for (const [member, proxy] of Object.entries({ httpProxy, httpsProxy })) {
    if (proxy === undefined) continue;
    const scheme = schemeOf(proxy);
    if (scheme === undefined) findings.add('url-unparsable', at, member);
    else if (scheme !== 'http' && scheme !== 'https') findings.add('proxy-scheme', at, member);
    else if (member === 'httpsProxy' && scheme === 'http') findings.add('proxy-insecure', at, member);
  }
};
