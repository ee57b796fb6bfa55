/* The editor of the tests under Wine: editor.exe VARIABLE FILE runs the line of that variable, by
   the script editor.sh, as gdvar does on Linux, and ends with its exit code. Wine starts programs
   of Linux, but can't wait for them and gives them no pipes: the script ends with a line in a file,
   for which this waits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

int main(int count, char** words) {
    char line[2048], name[MAX_PATH], said[16] = "";
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    STARTUPINFOA how = {sizeof how};
    PROCESS_INFORMATION child;
    DWORD size;
    const char *const script = getenv("GDVAR_TEST_EDITOR_SH"), *const folder =
                                                                   getenv("GDVAR_TEST_ENDED");
    if (count != 3 || !script || !folder ||
        snprintf(line, sizeof line, "%s %s \"%s\"", script, words[1], words[2]) >=
            (int)sizeof line ||
        !GetTempFileNameA(folder, "end", 0, name))
        return 98;
    HANDLE ended = CreateFileA(name, GENERIC_READ | GENERIC_WRITE,
                               FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &inherited,
                               CREATE_ALWAYS, FILE_FLAG_DELETE_ON_CLOSE, NULL);
    how.dwFlags = STARTF_USESTDHANDLES;
    how.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    how.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    how.hStdOutput = ended;
    if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &how, &child))
        return 99;
    while (!strchr(said, '\n')) {
        Sleep(10);
        SetFilePointer(ended, 0, NULL, FILE_BEGIN);
        if (!ReadFile(ended, said, sizeof said - 1, &size, NULL))
            return 97;
        SetFilePointer(ended, 0, NULL, FILE_BEGIN);
    }
    return atoi(said);
}
