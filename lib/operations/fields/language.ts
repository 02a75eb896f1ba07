import { z } from "zod";

/** ISO 639-1 codes and the codes of ISO 639-2/T, which containers store. */
const codes =
  "af:afr am:amh ar:ara az:aze be:bel bg:bul bn:ben bo:bod br:bre bs:bos ca:cat cs:ces cy:cym da:dan " +
  "de:deu el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas fi:fin fo:fao fr:fra ga:gle gd:gla gl:glg " +
  "gu:guj ha:hau he:heb hi:hin hr:hrv hu:hun hy:hye id:ind ig:ibo is:isl it:ita ja:jpn jv:jav ka:kat " +
  "kk:kaz km:khm kn:kan ko:kor ku:kur ky:kir la:lat lb:ltz lo:lao lt:lit lv:lav mg:mlg mi:mri mk:mkd " +
  "ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya nb:nob ne:nep nl:nld nn:nno no:nor or:ori pa:pan pl:pol " +
  "ps:pus pt:por ro:ron ru:rus rw:kin sd:snd si:sin sk:slk sl:slv sm:smo sn:sna so:som sq:sqi sr:srp " +
  "st:sot su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha tk:tuk tl:tgl tr:tur tt:tat ug:uig uk:ukr " +
  "ur:urd uz:uzb vi:vie xh:xho yi:yid yo:yor zh:zho zu:zul";

const threeLetters = new Map(
  codes.split(" ").map((pair): [string, string] => {
    const [two = "", three = ""] = pair.split(":");
    return [two, three];
  }),
);

/** The language of a track; it parses to a code of three letters. */
export const languageCode = z
  .string()
  .regex(/^[a-z]{2,3}$/, "must be an ISO 639 code such as en or eng")
  .refine((code) => code.length === 3 || threeLetters.has(code), "is not a known language")
  .overwrite((code) => threeLetters.get(code) ?? code)
  .meta({ description: "Language of the track: a code of ISO 639 such as en, eng or ja." });
