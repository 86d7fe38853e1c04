import type { Member } from '../demo/members.ts';
import { printPdf } from '../documents/pdf-document.ts';
import { hyphenateBusinessNumber } from '../seed/business-number.ts';
import { formatMoment } from '../seed/kst.ts';
import type { Application } from './applications.ts';
import { PURPOSES, RECEIVERS } from './screens.ts';

type Line = readonly [string, string];

function residentNumber(member: Member, application: Application): string {
  if (member.birthDate === null) return '';
  return `${member.birthDate}-${application.showsResidentNumber ? '1000000' : '1******'}`;
}

function koreanLines(application: Application, member: Member): Line[] {
  const lines: Line[] = [
    ['발급번호', application.issueNo],
    ['접수번호', application.receiptNo],
    ['발급일시', formatMoment(application.appliedAt)],
    ['상호(법인명)', member.name],
    ['성명(대표자)', member.representative],
    ['사업자등록번호', member.businessNumber ? hyphenateBusinessNumber(member.businessNumber) : ''],
    ['주민등록번호', residentNumber(member, application)],
    ['대상기간', application.period],
    ['사용용도', PURPOSES[application.purpose] ?? ''],
    ['제출처', RECEIVERS[application.receiver] ?? ''],
    ['발급부수', `${application.copies}부`],
  ];
  return lines.filter(([, value]) => value !== '');
}

function englishLines(application: Application, member: Member): Line[] {
  const lines: Line[] = [
    ['Issue No.', application.issueNo],
    ['Receipt No.', application.receiptNo],
    ['Issued', formatMoment(application.appliedAt)],
    ['Name', member.name],
    ['Representative', member.representative],
    ['Business No.', member.businessNumber ? hyphenateBusinessNumber(member.businessNumber) : ''],
    ['Period', application.period],
    ['Copies', String(application.copies)],
  ];
  return lines.filter(([, value]) => value !== '');
}

/** The certificate as a PDF; printing again gives the same document. */
export function printCertificate(application: Application, member: Member): Promise<Buffer> {
  const korean = application.language === 'KO';
  return printPdf({
    title: korean ? application.screen.title : application.screen.titleEn,
    caption: `${application.screen.code} / ${application.screen.screenId}`,
    lines: korean ? koreanLines(application, member) : englishLines(application, member),
    closing: korean
      ? ['위와 같이 증명합니다.', '모의 세무서장', '본 문서는 시험용이며 법적 효력이 없습니다.']
      : ['We certify the above.', 'Simulated Tax Office', 'For testing only; of no legal effect.'],
    madeAt: application.appliedAt,
  });
}
