import type { Text } from '../action.ts';
import { isLoopback } from '../addresses/loopback.ts';

/** Parsers of variables. A parser returns the value, or a description of what was expected. */
export interface Kind<T> {
  /** For people, e.g. `integer 1–64`. */
  readonly name: string;
  readonly parse: (text: string) => Parsed<T>;
}

type Parsed<T> = { readonly value: T } | { readonly expected: Text };

export const text: Kind<string> = { name: 'text', parse: (value) => ({ value }) };

export const path: Kind<string> = { name: 'path', parse: (value) => ({ value }) };

export function integer(min: number, max: number): Kind<number> {
  const name = `integer ${min}–${max}`;
  return {
    name,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max
        ? { value }
        : { expected: { ko: `${min}–${max}의 정수`, en: `an ${name}` } };
    },
  };
}

export function choice<const V extends readonly string[]>(values: V): Kind<V[number]> {
  return {
    name: values.map((value) => `\`${value}\``).join(' | '),
    parse(text) {
      const value = values.find((one) => one === text);
      if (value !== undefined) return { value };
      const all = values.join(', ');
      return { expected: { ko: `${all} 중 하나`, en: `one of ${all}` } };
    },
  };
}

/** A comma-separated subset of these values. */
export function choices<const V extends readonly string[]>(values: V): Kind<readonly V[number][]> {
  const one = choice(values);
  return {
    name: `${one.name}, separated by commas`,
    parse(text) {
      const found: V[number][] = [];
      for (const part of partsOf(text)) {
        const parsed = one.parse(part);
        if ('expected' in parsed) {
          const all = values.join(', ');
          return { expected: { ko: `${all} 중에서`, en: `some of ${all}` } };
        }
        found.push(parsed.value);
      }
      return { value: found };
    },
  };
}

export const list: Kind<readonly string[]> = {
  name: 'names, separated by commas',
  parse: (text) => ({ value: partsOf(text) }),
};

/** Anything else is an error, because a misspelled yes must not mean no. */
export const flag: Kind<boolean> = {
  name: '`1` | `0`',
  parse(text) {
    if (text === '1' || text === 'true') return { value: true };
    if (text === '0' || text === 'false') return { value: false };
    return { expected: { ko: '1 또는 0', en: '1 or 0' } };
  },
};

export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** `host:port`, `[::1]:port` or `:port` for every address; port 0 lets the system choose. */
export const listen: Kind<Listen> = {
  name: 'host:port',
  parse(text) {
    const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text);
    const port = Number(match?.[3]);
    if (!match || port > 65_535) {
      const example = '127.0.0.1:4010';
      return { expected: { ko: `host:port(예: ${example})`, en: `host:port, e.g. ${example}` } };
    }
    return { value: { host: match[1] ?? (match[2] || '::'), port } };
  },
};

/** An origin with an optional path, without user, query or fragment; https, or http on loopback. */
export const secureUrl: Kind<string> = {
  name: 'https URL (http on loopback)',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : null;
    const expected = {
      ko: '사용자와 쿼리와 조각이 없는 https 주소(이 컴퓨터에서는 http도 가능)',
      en: 'an https URL without user, query or fragment (http only on loopback)',
    };
    if (!url || url.username || url.password || url.search || url.hash) return { expected };
    const secure =
      url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
    return secure ? { value: text.replace(/\/+$/, '') } : { expected };
  },
};

/** https, or http to a private address: credentials are sent there, and such a host may have no certificate. */
export const institutionUrl: Kind<string> = {
  name: 'https URL (http at a private address)',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : null;
    const secure =
      url?.protocol === 'https:' || (url?.protocol === 'http:' && isPrivate(url.hostname));
    if (secure) return { value: text.replace(/\/+$/, '') };
    return {
      expected: {
        ko: 'https 주소(사설 주소에서는 http도 가능)',
        en: 'an https URL (http only at a private address)',
      },
    };
  },
};

/** A contact address: a `mailto:` or an https URL. */
export const contact: Kind<string> = {
  name: 'mailto: or https URL',
  parse(text) {
    const protocol = URL.canParse(text) && !/\s/.test(text) ? new URL(text).protocol : '';
    return protocol === 'mailto:' || protocol === 'https:'
      ? { value: text }
      : { expected: { ko: 'mailto: 또는 https 주소', en: 'a mailto: or https URL' } };
  },
};

/** A mail server: `smtp:` with STARTTLS, or `smtps:`. */
export const smtpUrl: Kind<string> = {
  name: '`smtp://user:password@host:587` | `smtps://…`',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : null;
    const known = url?.protocol === 'smtp:' || url?.protocol === 'smtps:';
    if (known && url.hostname !== '') return { value: text };
    const example = 'smtp://user:password@host:587';
    return { expected: { ko: `${example} 또는 smtps://…`, en: `${example} or smtps://…` } };
  },
};

/** `name@host`, or `Name <name@host>`. */
export const mailAddress: Kind<string> = {
  name: '`name@host` | `Name <name@host>`',
  parse(text) {
    return /^(?:[^<>\r\n]{1,100} <)?[^\s<>@]+@[^\s<>@]+>?$/.test(text)
      ? { value: text }
      : {
          expected: {
            ko: 'name@host 또는 Name <name@host>',
            en: 'name@host or Name <name@host>',
          },
        };
  },
};

export type DatabaseUrl =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | { readonly dialect: 'postgres'; readonly url: string };

export const databaseUrl: Kind<DatabaseUrl> = {
  name: '`sqlite:path` | `postgres://…`',
  parse(text) {
    if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) {
      return { value: { dialect: 'postgres', url: text } };
    }
    const file = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1];
    if (file === undefined) {
      const expected = { ko: 'sqlite:path 또는 postgres://…', en: 'sqlite:path or postgres://…' };
      return { expected };
    }
    return { value: { dialect: 'sqlite', path: file } };
  },
};

export interface Rate {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** `6000/60`: requests per window of seconds. */
export const rate: Kind<Rate> = {
  name: 'requests/seconds',
  parse(text) {
    const match = /^([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(text);
    if (!match) {
      return { expected: { ko: '요청 수/초(예: 6000/60)', en: 'requests/seconds, e.g. 6000/60' } };
    }
    return { value: { limit: Number(match[1]), windowSeconds: Number(match[2]) } };
  },
};

/** Networks in CIDR notation, or single addresses. */
export const networks: Kind<readonly string[]> = {
  name: 'networks, separated by commas',
  parse(text) {
    const ranges = partsOf(text);
    if (ranges.length > 0 && ranges.every((range) => NETWORK.test(range))) return { value: ranges };
    return {
      expected: {
        ko: '10.1.0.0/16처럼 쓰고 쉼표로 구분한 네트워크',
        en: 'networks like 10.1.0.0/16, separated by commas',
      },
    };
  },
};

const NETWORK = /^[0-9a-fA-F.:]+(\/\d{1,3})?$/;

/** Proxies trusted for the caller's address: none, a number of hops, or their addresses. */
export const trustProxy: Kind<false | number | readonly string[]> = {
  name: '`none` | hops | addresses',
  parse(text) {
    if (text === 'none') return { value: false };
    if (/^[1-9]\d?$/.test(text)) return { value: Number(text) };
    const addresses = text.split(',').map((address) => address.trim());
    if (addresses.every((address) => /^[0-9a-fA-F.:]+(\/\d{1,3})?$/.test(address))) {
      return { value: addresses };
    }
    return {
      expected: {
        ko: 'none, 홉 수, 쉼표로 구분한 주소',
        en: 'none, a number of hops, or addresses separated by commas',
      },
    };
  },
};

function partsOf(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** Loopback and the private networks (RFC 1918, RFC 4193). */
function isPrivate(host: string): boolean {
  return (
    isLoopback(host) ||
    /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+){2,3}$/.test(host) ||
    /^\[f[cd][0-9a-f]{2}:/.test(host)
  );
}
