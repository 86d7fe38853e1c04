import type { LinkRequest } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { loadPart } from '../../app/load-part.ts';
import type { ChosenFiles } from './certificate-fields.tsx';

type Secrets = Readonly<Record<string, string | Uint8Array>>;

/** Plain values end here: only the service can decrypt the result. */
export async function encrypted(secrets: Secrets): Promise<Record<string, string>> {
  const [{ encryptFields }, keys] = await Promise.all([
    loadPart(() => import('@changgu/sdk/encrypt')),
    call('readEncryptionKeys'),
  ]);
  return encryptFields(keys, secrets);
}

export async function certificateFields(
  files: ChosenFiles,
  password: string,
): Promise<LinkRequest> {
  if ('pkcs12' in files) {
    return encrypted({ pkcs12_data: await bytesOf(files.pkcs12), encrypted_pw: password });
  }
  const { certificate, key } = files;
  const [cert_data, key_data] = await Promise.all([bytesOf(certificate), bytesOf(key)]);
  return encrypted({ cert_data, key_data, encrypted_pw: password });
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer());
}
