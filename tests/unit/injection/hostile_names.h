// SPDX-License-Identifier: GPL-3.0-only
// Names that do harm wherever an output forgets to escape them.
#pragma once

#include <string>
#include <vector>

namespace lanelab {

inline std::vector<std::string> hostileNames() {
  using namespace std::string_literals;
  return {
      // HTML and XML
      "<script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "\"><img src=x onerror=alert(1)>",
      "'><svg onload=alert(1)>",
      "\" onmouseover=\"alert(1)",
      "' onmouseover='alert(1)",
      "</title><script>alert(1)</script>",
      "</style><b>",
      "]]>",
      "<![CDATA[",
      "--><b>",
      "<!--",
      "<?xml?>",
      "&lt;b&gt; &amp; &#60; &unknown; &",
      "javascript:alert(1)",
      // control characters, invalid bytes, characters that are never text
      "a\0b"s,
      "\x1b[2J\x1b]0;title\x07",
      "bell\x07",
      "del\x7f",
      "carriage\rreturn",
      "line\nfeed",
      "tab\tstop",
      "next\u0085line\u009b31m",
      "non\uFFFE\uFFFF\uFDD0\U0001FFFE",
      "surrogate \xED\xA0\x80",
      "invalid \xFF\xC0\xAF\xE9\x80",
      "reversed \u202Egpj.exe\u2066",
      "line\u2028separator",
      // spreadsheets
      "=cmd|' /C calc'!A0",
      "+1+1",
      "@SUM(A1:A9)",
      "-2+3",
      "\t=1+1",
      "\r=1+1",
      "\n=1+1",
      "  =1+1",
      "\"=1+1\",=2+2",
      "a,b;c\"d",
      // files, shells, templates
      "../../etc/passwd",
      "/etc/passwd",
      ".hidden",
      "-rf",
      "%s%n",
      "{{7*7}}",
      "${jndi:ldap://x}",
      "$(id) `id` ; id",
      "CON",
      // length
      std::string(1'000, 'a'),
  };
}

}  // namespace lanelab
