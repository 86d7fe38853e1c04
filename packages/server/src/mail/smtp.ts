import { isLoopback } from '@changgu/contract';
import type { SentMessageInfo, Transporter } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import { type Letter, textOf } from './letters.ts';

const TIMEOUT_MS = 20_000;

/** The SMTP connection. */
export interface Smtp {
  /** Rejects with the library's error; `responseCode` is the server's. */
  send(id: string, letter: Letter): Promise<void>;
  close(): void;
}

/** Loads the library only where email is sent. */
export async function openSmtp(smtpUrl: string, from: string): Promise<Smtp> {
  const { createTransport } = await import('nodemailer');
  const url = new URL(smtpUrl);
  const isLocal = isLoopback(url.hostname);
  const options: SMTPTransport.Options = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
    secure: url.protocol === 'smtps:',
    // Links and the password pass through this connection.
    requireTLS: url.protocol === 'smtp:' && !isLocal,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(url.username === ''
      ? {}
      : {
          auth: {
            user: decodeURIComponent(url.username),
            pass: decodeURIComponent(url.password),
          },
        }),
  };
  const transport: Transporter<SentMessageInfo> = createTransport(options);
  return {
    async send(id, letter) {
      await transport.sendMail({
        from,
        to: { name: '', address: letter.to },
        // The same for every attempt, so that a mailbox shows a repeated message once.
        messageId: `<${id}@changgu>`,
        ...textOf(letter),
      });
    },
    close: () => transport.close(),
  };
}
