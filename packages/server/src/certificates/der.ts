import {
  type AsnType,
  BitString,
  Constructed,
  fromBER,
  Integer,
  ObjectIdentifier,
  OctetString,
  Primitive,
} from 'asn1js';
import { malformed } from './certificate-error.ts';

const PEM = /-----BEGIN [A-Z0-9 ]+-----([\sA-Za-z0-9+/=]+)-----END [A-Z0-9 ]+-----/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const SEQUENCE_TAG = 0x30;

/** The DER in an upload, which clients send as DER, base64 or PEM. */
export function toDer(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === SEQUENCE_TAG) return bytes;
  const text = Buffer.from(bytes).toString('latin1');
  const base64 = (PEM.exec(text)?.[1] ?? text).replaceAll(/\s/g, '');
  if (!BASE64.test(base64)) throw malformed('the upload');
  return Buffer.from(base64, 'base64');
}

/** Parses exactly one element: bytes left over are an error. */
export function parseDer(bytes: Uint8Array): AsnType {
  const { offset, result } = readBer(bytes);
  if (offset !== bytes.length) throw malformed('the ASN.1');
  return result;
}

/** asn1js returns -1 for most unreadable input but throws at an invalid time. */
function readBer(bytes: Uint8Array): ReturnType<typeof fromBER> {
  try {
    return fromBER(bytes);
  } catch {
    throw malformed('the ASN.1');
  }
}

/** The elements of a SEQUENCE, SET or constructed context tag. */
export function elements(node: AsnType | undefined): AsnType[] {
  if (!(node instanceof Constructed)) throw malformed('the ASN.1');
  return node.valueBlock.value;
}

export function objectId(node: AsnType | undefined): string {
  if (!(node instanceof ObjectIdentifier)) throw malformed('the ASN.1');
  return node.getValue();
}

export function octets(node: AsnType | undefined): Uint8Array {
  if (!(node instanceof OctetString)) throw malformed('the ASN.1');
  return new Uint8Array(node.getValue());
}

/** The bytes of an OCTET STRING that a context tag stands for. */
export function contextContent(node: AsnType | undefined): Uint8Array {
  if (node instanceof Primitive) return node.valueBlock.valueHexView;
  return Buffer.concat(elements(node).map(octets));
}

export function bits(node: AsnType | undefined): Uint8Array {
  if (!(node instanceof BitString)) throw malformed('the ASN.1');
  return node.valueBlock.valueHexView;
}

/** A non-negative INTEGER of at most 31 bits. */
export function smallInteger(node: AsnType | undefined): number {
  if (!(node instanceof Integer) || node.valueBlock.isHexOnly || node.valueBlock.valueDec < 0) {
    throw malformed('the ASN.1');
  }
  return node.valueBlock.valueDec;
}

/** Whether a node is the context tag `[number]`. */
export function isContextTag(node: AsnType, number: number): boolean {
  const CONTEXT_SPECIFIC = 3;
  return node.idBlock.tagClass === CONTEXT_SPECIFIC && node.idBlock.tagNumber === number;
}
