import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { brokenPage, elements, type PortalPage, required } from './page.ts';

/**
 * What a login page's script sends as the password: the password itself, or what was typed on the page's keypad, the
 * codes of its keys encrypted with the key of the page.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR for a keypad that lacks a character; nothing is sent
 */
export function typedPassword(page: PortalPage, password: string): string {
  if (page.$('#keypad').length === 0) return password;
  const codes = new Map(
    elements(page, '#keypad > li').map((key) => [
      key.find('img').attr('alt') ?? '',
      key.attr('data-code') ?? '',
    ]),
  );
  const typed = Array.from(password, (character) => {
    const code = codes.get(character) ?? '';
    if (code === '') throw brokenPage(page.status, false);
    return code;
  });
  return encrypted(page, typed.join(' '));
}

function encrypted(page: PortalPage, text: string): string {
  const spki = required(page, 'input[name=keypadKey]').attr('value') ?? '';
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  try {
    const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });
    const sealed = publicEncrypt({ key, padding, oaepHash: 'sha256' }, Buffer.from(text));
    return sealed.toString('base64');
  } catch {
    throw brokenPage(page.status, false);
  }
}
